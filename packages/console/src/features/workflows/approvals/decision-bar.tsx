import { useRole, useUser } from '../../../data/session.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { DecisionButtons } from './decision-buttons.tsx'
import type { Decision } from './use-decision.ts'

/**
 * At the thumb: Reject and Approve, or why the reader may not decide. It is low, so that a form is seen above it, and
 * stands at the end of the page where the screen is not high.
 */
export function DecisionBar({ decision }: { decision: Decision }) {
  const { isPending, refused, error } = decision
  return (
    <section
      aria-label="Decision"
      className="sticky bottom-0 z-10 mt-auto border-t border-line bg-bg px-(--gutter) pt-3 pb-8 shadow-float md:pb-4 [@media(max-height:30rem)]:static"
    >
      <div className="flex w-full max-w-[43rem] flex-col gap-3">
        {isPending ? (
          <div className="grid grid-cols-2 gap-2 md:flex md:justify-end">
            <DecisionButtons decision={decision} className="!h-11 md:!h-8" />
          </div>
        ) : null}
        {error ? (
          <p role="alert" className="text-danger">
            {causeOf(error)}
          </p>
        ) : null}
        <p className="text-small text-text-2">{refused ?? <ActsAs />}</p>
      </div>
    </section>
  )
}

/** Under whose name the decision is recorded. */
function ActsAs() {
  const user = useUser()
  const role = useRole()
  return `You act as ${user?.name ?? 'yourself'}, ${role.toLowerCase()}. It is written to the audit log.`
}
