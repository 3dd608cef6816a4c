import { type Role, roleHas, roles } from '@bey/contract'

import type { Approvers } from '../../../../tables/run-approvals.ts'

// Who may decide an approval, and why somebody may not.

export type ApprovalFacts = {
  status: string
  approvers: Approvers
  requestedBy: number | null
  decisions: readonly { userId: number; name: string; decision: 'approve' | 'reject' }[]
}

/** The least role that may decide; undefined where named users alone may. */
function approverRole({ role, userIds }: Approvers): Role | undefined {
  if (role !== null) return role
  return userIds.length === 0 ? leastApprover : undefined
}

/** May decide where neither a role nor users are named. */
export const leastApprover = roles.findLast((role) => roleHas(role, 'workflows.approve')) ?? 'OWNER'

/** The roles that may decide, mightiest first. */
function approverRoles(approvers: Approvers): readonly Role[] {
  const least = approverRole(approvers)
  return least === undefined ? [] : roles.slice(0, roles.indexOf(least) + 1)
}

/** "OWNER, ADMIN, Grace Hopper": who may decide. `names` are those of the named users. */
export function approversText(approvers: Approvers, names: readonly string[]): string {
  return [...approverRoles(approvers), ...names].join(', ') || 'Nobody: the users who were named are gone'
}

/** Why somebody may not decide, or undefined where they may. */
export function approvalDeniedReason(
  { status, approvers, requestedBy, decisions }: ApprovalFacts,
  caller: { userId: number; role: Role },
  approversInWords: string,
): string | undefined {
  if (status !== 'pending') return decidedText(status, decisions)
  const own = decisions.find((each) => each.userId === caller.userId)
  if (own !== undefined) return `You ${own.decision === 'approve' ? 'approved' : 'rejected'} it already.`
  if (requestedBy === caller.userId && !approvers.allowsRequester)
    return 'You started this run: somebody else has to decide.'
  if (approverRoles(approvers).includes(caller.role) || approvers.userIds.includes(caller.userId))
    return undefined
  return `You may not decide. Who may: ${approversInWords}.`
}

function decidedText(status: string, decisions: ApprovalFacts['decisions']): string {
  const last = decisions.at(-1)
  if ((status === 'approved' || status === 'rejected') && last !== undefined)
    return `${last.name} ${status} it already.`
  if (status === 'timed_out') return 'Nobody decided in time.'
  if (status === 'cancelled') return 'The run was cancelled before anybody decided.'
  return `It is ${status} already.`
}
