import type { Run, StepRun } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { OctagonX } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { errorText } from '../../../lib/error-text.ts'
import { formatDuration } from '../../../lib/format.ts'
import { runTitle } from '../../../lib/run-text.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'

/** A run is given so long to stop by itself, in milliseconds. */
const patienceMs = 10_000

/** Ends a run that was asked to stop and does not, once it had its time. */
export function ForceCancel({ run, steps, now }: { run: Run; steps: readonly StepRun[]; now: number }) {
  const [isAsking, setAsking] = useState(false)
  const force = useChange('workflows.forceCancel')
  const role = useRole()
  const stale = useStaleReason()
  const waitMs = run.cancelRequestedAt ? patienceMs - (now - Date.parse(run.cancelRequestedAt)) : 0
  const wait = waitMs > 0 ? `It is given 10 s to stop by itself: ${formatDuration(waitMs)} left.` : undefined
  const failure = force.error ? errorText('Failed to cancel workflow run', force.error) : undefined
  const open = steps.filter(({ status }) => status === 'running' || status === 'uncertain')
  return (
    <>
      <Button
        variant="danger"
        icon={<OctagonX size={14} aria-hidden />}
        disabledReason={deniedReason(role, 'workflows.cancel') ?? stale ?? wait}
        onClick={() => setAsking(true)}
      >
        Force
      </Button>
      {isAsking ? (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title="End this run without waiting for its steps?"
          name={runTitle(run)}
          impactTitle="What may be left:"
          impact={
            open.length > 0
              ? open.map((step) => `Whatever ${step.name} has begun outside and not finished`)
              : ['Nothing that is known: no step is under way']
          }
          action="End the run"
          busy={force.isPending}
          error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
          onConfirm={() =>
            force.mutate(
              { params: { id: run.workflowId, runId: run.id } },
              {
                onSuccess: ({ leftBehind }) => {
                  setAsking(false)
                  if (leftBehind.length > 0)
                    toast('warning', 'The run was ended. Look at what may be left:', {
                      description: leftBehind.join(', '),
                    })
                },
              },
            )
          }
        />
      ) : null}
    </>
  )
}
