import { cx } from '../../../ui/class-names.ts'
import { Button } from '../../../ui/button.tsx'
import type { Decision } from './use-decision.ts'

/** Reject and Approve; with the reason where the reader may not decide. `className` is for each of them. */
export function DecisionButtons({
  decision: { send, sending, refused },
  className,
}: {
  decision: Pick<Decision, 'send' | 'sending' | 'refused'>
  className?: string
}) {
  return (
    <>
      <Button
        onClick={() => send('reject')}
        busy={sending === 'reject'}
        disabledReason={refused}
        className={cx('!text-danger', className)}
      >
        Reject
      </Button>
      <Button
        variant="primary"
        onClick={() => send('approve')}
        busy={sending === 'approve'}
        disabledReason={refused}
        className={className}
      >
        Approve
      </Button>
    </>
  )
}
