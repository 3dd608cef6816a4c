import type { Approval } from '@bey/contract'
import { useNow } from '../../../lib/now.ts'
import { Link } from '../../../ui/link.tsx'
import { causeOf } from '../../../lib/error-text.ts'
import { ApprovalFacts, WithReferences } from './approval-facts.tsx'
import { ApprovalPlan, Decisions, DecisionForm } from './approval-parts.tsx'
import { DecisionButtons } from './decision-buttons.tsx'
import { DecidersLine } from './deciders-line.tsx'
import { useDecision } from './use-decision.ts'

/** A question of a run where its step waits: what is asked, what will change, who can decide, and the decision. */
export function ApprovalCard({ approval }: { approval: Approval }) {
  const { id, question, details, plan, decisions, status } = approval
  const now = useNow(status === 'pending')
  const decision = useDecision(approval)
  const { refused, error, isPending, isDenied } = decision
  return (
    <section aria-label="Approval" className="flex min-w-0 flex-col gap-4 px-(--gutter) pt-4">
      <div className="flex items-start justify-between gap-4">
        <h3 className="min-w-0 text-dialog font-semibold break-words">
          <WithReferences text={question} />
        </h3>
        <Link
          href={`/workflows/approvals/${id}`}
          className="shrink-0 text-small leading-6 text-text-2 underline hover:text-accent-text"
        >
          Open the approval
        </Link>
      </div>
      {details ? (
        <blockquote className="border-l-2 border-line-strong pl-3.5 break-words whitespace-pre-wrap">
          {details}
        </blockquote>
      ) : null}
      <ApprovalFacts approval={approval} now={now} />
      <ApprovalPlan plan={plan} />
      {decisions.length > 0 ? <Decisions approval={approval} /> : null}
      {isDenied || !isPending ? null : <DecisionForm form={approval.form} decision={decision} />}
      <DecidersLine approval={approval} now={now} />
      <div className="sticky bottom-0 z-10 -mx-(--gutter) flex flex-wrap items-center justify-end gap-2 border-t border-line bg-bg px-(--gutter) pt-3 pb-8 [@media(max-height:30rem)]:static">
        {error ? (
          <p role="alert" className="basis-full text-danger">
            {causeOf(error)}
          </p>
        ) : null}
        {refused === undefined ? null : (
          <p className="min-w-0 flex-1 basis-60 text-small text-text-2">{refused}</p>
        )}
        {isPending ? <DecisionButtons decision={decision} /> : null}
      </div>
    </section>
  )
}
