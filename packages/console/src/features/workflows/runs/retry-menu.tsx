import type { CallInput } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { ChevronDown, FastForward, Pencil, RotateCcw, StepForward } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import type { RunDetail } from '../../../data/workflows.ts'
import { useChange } from '../../../data/use-change.ts'
import { retryWays } from './retry-plan.ts'
import { toastCause } from '../../../lib/error-text.ts'
import { runHref } from '../../../lib/run-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx'
import { toast } from '../../../ui/toast.ts'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { RetryDialog } from './retry-dialog.tsx'

const icon = { size: 14, 'aria-hidden': true } as const

type RetryBody = CallInput<'workflows.retry'>['body']

/** The ways to run it again, each with what it keeps or repeats. It is always a new run. */
export function RetryMenu({ detail, selected }: { detail: RunDetail; selected: string | undefined }) {
  const { run, workflow } = detail
  const [isLatest, setLatest] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const retry = useChange('workflows.retry')
  const navigate = useNavigate()
  const role = useRole()
  const stale = useStaleReason()
  const ways = useMemo(() => retryWays(detail, selected), [detail, selected])
  const builtIn = workflow.isBuiltIn
    ? 'Bey starts this workflow itself: repeat it where it was started, for example on the page of the cluster.'
    : undefined
  const refused = builtIn ?? deniedReason(role, 'workflows.execute') ?? stale
  const start = (body: Partial<RetryBody>, onDone?: () => void) =>
    retry.mutate(
      {
        params: { id: run.workflowId, runId: run.id },
        body: { mode: 'from_failed', version: isLatest ? 'latest' : 'pinned', ...body },
      },
      {
        onSuccess: (reply) => {
          onDone?.()
          void navigate({ to: runHref({ workflowId: reply.run.workflowId, runId: reply.run.id }) })
        },
        onError: (error) => {
          // The dialog shows it itself.
          if (!onDone) toast('error', 'Failed to retry workflow run', toastCause(error))
        },
      },
    )
  const canRetry = refused === undefined && ways.fromFailed.disabledReason === undefined
  usePageKeys(
    'This run',
    canRetry ? [{ keys: ['r'], does: 'Retry from the failed step', run: () => start({}) }] : [],
  )
  const trigger = (
    <Button variant="primary" busy={retry.isPending} disabledReason={refused}>
      Retry <ChevronDown {...icon} />
    </Button>
  )
  const { step } = ways.fromStep
  return (
    <>
      {refused === undefined ? (
        <Menu trigger={trigger}>
          <MenuItem
            icon={<FastForward {...icon} />}
            shortcut={['r']}
            hint={ways.fromFailed.hint}
            disabledReason={ways.fromFailed.disabledReason}
            onSelect={() => start({})}
          >
            From the failed step
          </MenuItem>
          <MenuItem
            icon={<StepForward {...icon} />}
            hint={ways.fromStep.hint}
            disabledReason={ways.fromStep.disabledReason}
            onSelect={() => (step ? start({ mode: 'from_step', stepKey: step.key }) : undefined)}
          >
            {step ? `From ${step.name}` : 'From a step'}
          </MenuItem>
          <MenuItem
            icon={<RotateCcw {...icon} />}
            hint={ways.fromStart.hint}
            onSelect={() => start({ mode: 'from_start' })}
          >
            From the start
          </MenuItem>
          <MenuItem
            icon={<Pencil {...icon} />}
            hint="Opens the form with the input of this run."
            onSelect={() => setEditing(true)}
          >
            With edited input…
          </MenuItem>
          {run.version === null || workflow.version === run.version ? null : (
            <>
              <MenuSeparator />
              <MenuItem checked={!isLatest} onSelect={() => setLatest(false)}>
                With version {run.version}, as this run
              </MenuItem>
              <MenuItem checked={isLatest} onSelect={() => setLatest(true)}>
                With version {workflow.version}, the newest
              </MenuItem>
            </>
          )}
        </Menu>
      ) : (
        trigger
      )}
      {isEditing ? (
        <RetryDialog
          detail={detail}
          isBusy={retry.isPending}
          error={retry.error}
          onClose={() => {
            setEditing(false)
            retry.reset()
          }}
          onRetry={(input) => start({ mode: 'from_start', input }, () => setEditing(false))}
        />
      ) : null}
    </>
  )
}
