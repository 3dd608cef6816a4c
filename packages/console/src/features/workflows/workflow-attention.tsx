import type { Approval, Workflow } from '@bey/contract'
import { useRun } from '../../data/workflows.ts'
import { failuresInRow } from '../../entities/workflows/workflow-text.ts'
import { formatCount } from '../../lib/format.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'

/** More rows would push the list off the page, which shows them, too. */
const mostShown = 3

export interface WorkflowAttentionProps {
  workflows: readonly Workflow[]
  /** Those that the caller may decide. */
  approvals: readonly Approval[]
}

/** Above the list: the workflows whose last runs failed and the runs that wait for the reader, each with the way to it. */
export function WorkflowAttention({ workflows, approvals }: WorkflowAttentionProps) {
  return (
    <>
      <FailingRows workflows={workflows} />
      {approvals.slice(0, mostShown).map((approval) => (
        <ApprovalRow key={approval.id} approval={approval} />
      ))}
      {approvals.length > mostShown ? (
        <p className="border-b border-line px-(--gutter) py-2 text-text-2">
          <Link href="/workflows/approvals">
            {formatCount(approvals.length - mostShown, 'more run', 'more runs')} waiting for you
          </Link>
        </p>
      ) : null}
    </>
  )
}

/** On a phone the button stands below the words, which need the width. */
const rowClass =
  'grid grid-cols-[auto_minmax(0,1fr)] min-h-12 items-center gap-x-3 gap-y-2 border-b border-line px-(--gutter) py-2 md:flex'

function ApprovalRow({ approval }: { approval: Approval }) {
  const { id, workflowName, requestedBy, requestedAt, question } = approval
  return (
    <div className={rowClass}>
      <span className="text-info max-md:self-start max-md:pt-0.5">
        <StatusMark glyph="clock" />
      </span>
      <p className="min-w-0 max-md:break-words md:flex-1 md:truncate">
        <span className="font-medium">{requestedBy.name} waits for your approval</span>{' '}
        <span className="text-text-2">
          of {workflowName}, since <RelativeTime at={requestedAt} />: {question}
        </span>
      </p>
      <ButtonLink
        size="small"
        className="max-md:col-start-2 max-md:justify-self-start"
        href={`/workflows/approvals/${id}`}
      >
        Review
      </ButtonLink>
    </div>
  )
}

function FailingRows({ workflows }: { workflows: readonly Workflow[] }) {
  const failing = workflows
    .filter((workflow) => workflow.state !== 'archived' && failuresInRow(workflow))
    .toSorted((left, right) => (failuresInRow(right)?.count ?? 0) - (failuresInRow(left)?.count ?? 0))
  return failing.slice(0, mostShown).map((workflow) => <FailingRow key={workflow.id} workflow={workflow} />)
}

function FailingRow({ workflow }: { workflow: Workflow }) {
  const failures = failuresInRow(workflow)
  const failed = workflow.activity.runs.findLast(
    ({ status }) => status === 'failed' || status === 'timed_out',
  )
  const { data } = useRun(workflow.id, failed?.id)
  if (!failures) return null
  const step = data?.steps.find(({ key }) => key === data.run.error?.stepKey)
  const { message } = data?.run.error ?? {}
  return (
    <div className={rowClass}>
      <span className="text-danger max-md:self-start max-md:pt-0.5">
        <StatusMark glyph="triangle" />
      </span>
      <p className="min-w-0 max-md:break-words md:flex-1 md:truncate">
        <span className="font-medium">
          {workflow.name} failed{failures.count > 1 ? ` ${failures.count} times in a row` : ''}
        </span>{' '}
        <span className="text-text-2">
          {failures.count > 1 ? 'last ' : ''}
          <RelativeTime at={failures.lastAt} />
          {step ? `, at ${step.name}` : ''}
          {message ? `: ${message}` : ''}
        </span>
      </p>
      {failed ? (
        <ButtonLink
          size="small"
          className="max-md:col-start-2 max-md:justify-self-start"
          href={`/workflows/${workflow.id}/runs/${failed.id}`}
        >
          Open the last run
        </ButtonLink>
      ) : null}
    </div>
  )
}
