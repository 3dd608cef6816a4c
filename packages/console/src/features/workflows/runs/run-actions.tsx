import type { Run } from '@bey/contract'
import { deniedReason, isRunOver } from '@bey/contract'
import { GitCompareArrows, Pause, Play } from 'lucide-react'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import type { RunDetail } from '../../../data/workflows.ts'
import { useList } from '../../../data/use-read.ts'
import { useChange } from '../../../data/use-change.ts'
import { CancelRun } from '../../../entities/runs/cancel-run.tsx'
import { toastCause } from '../../../lib/error-text.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { ApprovalLink } from '../approvals/approval-link.tsx'
import { compareHref } from './compare-location.ts'
import { ForceCancel } from './force-cancel.tsx'
import { RetryMenu } from './retry-menu.tsx'
import { tabHref } from './run-location.ts'

export interface RunActionsProps {
  detail: RunDetail
  /** Milliseconds since 1970. */
  now: number
  /** Key of the step that was chosen. */
  selected: string | undefined
  /** The chosen step is shown, with the approval that it waits for. */
  showsStep: boolean
}

/** What can be done with a run now, the most likely last. */
export function RunActions({ detail, now, selected, showsStep }: RunActionsProps) {
  const { run } = detail
  if (isRunOver(run.status)) {
    return (
      <>
        <CompareLink detail={detail} />
        <RetryMenu detail={detail} selected={selected} />
      </>
    )
  }
  if (run.status === 'cancelling') return <ForceCancel run={run} steps={detail.steps} now={now} />
  const uncertain = detail.steps.find(({ status }) => status === 'uncertain')
  return (
    <>
      <PauseButton run={run} />
      <CancelRun workflowId={run.workflowId} run={run} />
      <ReviewLink detail={detail} shownStep={showsStep ? selected : undefined} />
      {uncertain ? (
        <ButtonLink variant="primary" href={tabHref(undefined, uncertain.key)}>
          Decide
        </ButtonLink>
      ) : null}
    </>
  )
}

/** Leads to the approval that the run waits for. */
function ReviewLink({
  detail: { run, steps },
  shownStep,
}: {
  detail: RunDetail
  /** Key of the step whose approval the page shows: it has the main action itself. */
  shownStep: string | undefined
}) {
  const isAsking = steps.some(({ type, status }) => type === 'approval' && status === 'waiting')
  const approvals = useList('workflows.approvals', { query: { runId: run.id, status: 'pending' } })
  const asked = isAsking ? (approvals.data?.approvals ?? []) : []
  const approval = asked.find(({ deniedReason: denied }) => denied === null) ?? asked[0]
  return approval && approval.stepKey !== shownStep ? <ApprovalLink approval={approval} isMainAction /> : null
}

function PauseButton({ run }: { run: Run }) {
  const pause = useChange('workflows.pause')
  const resume = useChange('workflows.resume')
  const stale = useStaleReason()
  const denied = deniedReason(useRole(), 'workflows.cancel')
  const params = { id: run.workflowId, runId: run.id }
  if (run.status === 'paused') {
    return (
      <Button
        icon={<Play size={14} aria-hidden />}
        busy={resume.isPending}
        disabledReason={denied ?? stale}
        onClick={() =>
          resume.mutate(
            { params },
            {
              onError: (error) => toast('error', 'Failed to resume workflow run', toastCause(error)),
            },
          )
        }
      >
        Resume
      </Button>
    )
  }
  return (
    <Button
      icon={<Pause size={14} aria-hidden />}
      busy={pause.isPending}
      disabledReason={pauseReason(run) ?? denied ?? stale}
      onClick={() =>
        pause.mutate(
          { params },
          {
            onError: (error) => toast('error', 'Failed to pause workflow run', toastCause(error)),
          },
        )
      }
    >
      Pause
    </Button>
  )
}

/** Why a run cannot be paused, or undefined where it can. */
function pauseReason({ status }: Run): string | undefined {
  if (status === 'queued' || status === 'scheduled') return 'It has not begun: cancel it instead.'
  if (status === 'needs_attention') return 'It already waits for your decision.'
  return undefined
}

/** Leads to the comparison with the run that this one retries, else with the last one before it that completed. */
function CompareLink({ detail: { run, workflow } }: { detail: RunDetail }) {
  const earlier = workflow.activity.runs.findLast(
    (each) => each.status === 'completed' && each.id !== run.id && each.queuedAt < run.queuedAt,
  )
  const other = run.retryOf ?? earlier?.id
  return (
    <ButtonLink
      icon={<GitCompareArrows size={14} aria-hidden />}
      href={compareHref(other === undefined ? undefined : { workflowId: run.workflowId, id: other }, run)}
      disabledReason={other === undefined ? 'No earlier run has completed.' : undefined}
    >
      Compare
    </ButtonLink>
  )
}
