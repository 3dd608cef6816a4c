import type { Role, Run } from '@bey/contract'
import { deniedReason, isRunOver } from '@bey/contract'
import { CircleStop } from 'lucide-react'
import { useState } from 'react'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useCancelRun } from '../../data/workflows.ts'
import { errorText } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePageKeys } from '../../ui/use-page-keys.ts'

/** The way to stop a run, or the reason why it cannot be stopped. `.` asks as well, unless it is an icon in a list. */
export function CancelRun({
  workflowId,
  run,
  isIcon = false,
}: {
  workflowId: string
  run: Run
  /** Without its words, where there is little room. */
  isIcon?: boolean
}) {
  const [isAsking, setAsking] = useState(false)
  const role = useRole()
  const stale = useStaleReason()
  const cancel = useCancelRun()
  const failure = cancel.error ? errorText('Failed to cancel workflow run', cancel.error) : undefined
  const close = () => {
    setAsking(false)
    cancel.reset()
  }
  const refused = cancelReason(run, role) ?? stale
  usePageKeys(
    'This run',
    isIcon || refused !== undefined ? [] : [{ keys: ['.'], does: 'Cancel', run: () => setAsking(true) }],
  )
  const button = {
    icon: <CircleStop size={14} aria-hidden />,
    onClick: () => setAsking(true),
    disabledReason: refused,
  }
  return (
    <>
      {isIcon ? (
        <IconButton label={`Cancel ${run.workflowName}`} size="small" {...button} />
      ) : (
        <Button {...button}>Cancel run</Button>
      )}
      {isAsking ? (
        <ConfirmDialog
          open
          onOpenChange={(open) => (open ? undefined : close())}
          title="Cancel this run?"
          name={run.subject ? `${run.workflowName} · ${run.subject.name}` : run.workflowName}
          impactTitle="What happens:"
          impact={[
            'The step that is running is stopped, those after it do not start',
            run.subject
              ? `${run.subject.name} stays as far as it came, until it is provisioned again or deleted`
              : 'What its steps have done so far stays',
          ]}
          action="Cancel run"
          dismiss="Keep running"
          busy={cancel.isPending}
          error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
          onConfirm={() => cancel.mutate({ id: workflowId, runId: run.id }, { onSuccess: close })}
        />
      ) : null}
    </>
  )
}

/** Why a run cannot be cancelled, or undefined where it can. */
export function cancelReason(run: Pick<Run, 'status'>, role: Role): string | undefined {
  if (isRunOver(run.status)) return `It has ended: ${run.status.replaceAll('_', ' ')}.`
  if (run.status === 'cancelling') return 'It is already being cancelled.'
  return deniedReason(role, 'workflows.cancel')
}
