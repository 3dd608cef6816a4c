import type { Approval } from '@bey/contract'
import { useParams } from '@tanstack/react-router'
import { useFollow } from '../../../data/live.ts'
import { useRead } from '../../../data/use-read.ts'
import { failureOf, isMissing } from '../../../lib/failed-query.ts'
import { useNow } from '../../../lib/now.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { runHref } from '../../../lib/run-text.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { DetailPage } from '../../../ui/detail-page.tsx'
import { Link } from '../../../ui/link.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Status } from '../../../ui/status.tsx'
import { ApprovalFacts, WithReferences } from './approval-facts.tsx'
import { ApprovalPlan, Decisions, DecisionForm } from './approval-parts.tsx'
import { statusOfApproval } from './approval-text.ts'
import { DecidersLine } from './deciders-line.tsx'
import { DecisionBar } from './decision-bar.tsx'
import { useDecision } from './use-decision.ts'
import { actorText } from '@bey/contract'

/** One question of a run: who asks what and why, what will change, and the decision. */
export function ApprovalPage() {
  const { approvalId = '' }: { approvalId?: string } = useParams({ strict: false })
  const query = useRead('workflows.approval', { params: { approvalId } })
  const approval = query.data?.approval
  usePageTitle(isMissing(query) ? 'Approval not found' : approval?.question)
  useFollow(approval ? { kind: 'workflow', workflowId: approval.workflowId } : undefined)
  return (
    <DetailPage
      noun="approval"
      subject={approval}
      title={approval && <WithReferences text={approval.question} />}
      badges={({ status }) => (
        <Status
          of="run"
          status={statusOfApproval[status]}
          label={status.replaceAll('_', ' ')}
          variant="badge"
        />
      )}
      subtitle={({ requestedBy, requestedAt, workflowName, workflowId, runId, stepKey }) => (
        <>
          <span className="font-medium text-text">{actorText(requestedBy)}</span> asked{' '}
          <RelativeTime at={requestedAt} /> in{' '}
          <Link
            href={`${runHref({ workflowId, runId })}?step=${encodeURIComponent(stepKey)}`}
            className="underline hover:text-accent-text"
          >
            a run of {workflowName}
          </Link>
        </>
      )}
      content={(shown) => <ApprovalBody approval={shown} />}
      missing={
        isMissing(query) && {
          title: 'There is no such approval in this organization',
          action: <ButtonLink href="/workflows/approvals">All approvals</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch the approval', query)}
    />
  )
}

function ApprovalBody({ approval }: { approval: Approval }) {
  const { details, plan, decisions, status } = approval
  const now = useNow(status === 'pending')
  const decision = useDecision(approval)
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex w-full max-w-[46rem] flex-col gap-5 px-(--gutter) py-5">
        {details ? (
          <blockquote className="border-l-2 border-line-strong pl-3.5 break-words whitespace-pre-wrap">
            {details}
          </blockquote>
        ) : null}
        <ApprovalFacts approval={approval} now={now} />
        <ApprovalPlan plan={plan} />
        <DecidersLine approval={approval} now={now} />
        {decisions.length > 0 ? <Decisions approval={approval} /> : null}
        {decision.isPending && !decision.isDenied ? (
          <DecisionForm form={approval.form} decision={decision} />
        ) : null}
      </div>
      <DecisionBar decision={decision} />
    </div>
  )
}
