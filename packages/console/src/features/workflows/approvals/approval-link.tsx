import type { Approval } from '@bey/contract'
import { ButtonLink } from '../../../ui/button.tsx'

/** Leads to an approval: to decide it, or for those who may not decide, to look at it. */
export function ApprovalLink({
  approval: { id, deniedReason },
  isMainAction = false,
}: {
  approval: Pick<Approval, 'id' | 'deniedReason'>
  /** It is what the page asks of somebody who may decide. */
  isMainAction?: boolean
}) {
  const mayDecide = deniedReason === null
  return (
    <ButtonLink
      variant={isMainAction && mayDecide ? 'primary' : 'secondary'}
      href={`/workflows/approvals/${id}`}
    >
      {mayDecide ? 'Review approval' : 'View approval'}
    </ButtonLink>
  )
}
