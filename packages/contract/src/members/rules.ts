import type { Role } from '../base/permissions.ts'

/** Roles that an invitation can give: ownership is transferred to somebody who is there. */
export const invitationRoles = ['ADMIN', 'MEMBER', 'VIEWER'] as const
export type InvitationRole = (typeof invitationRoles)[number]

export const invitationBounds = {
  /** Addresses that are invited with one request. */
  atOnce: 50,
  /** Invitations of an organization that wait to be accepted. */
  pending: 500,
  minHours: 48,
  maxHours: 168,
} as const

export const invitationStatuses = ['pending', 'accepted', 'rejected', 'cancelled', 'expired'] as const
export type InvitationStatus = (typeof invitationStatuses)[number]

/** Legal moves of an invitation; sending an expired one again makes it pending. */
export const invitationMoves: Record<InvitationStatus, readonly InvitationStatus[]> = {
  pending: ['accepted', 'rejected', 'cancelled', 'expired'],
  accepted: [],
  rejected: [],
  cancelled: [],
  expired: ['pending', 'cancelled'],
}

type Person = { id: number; role: Role }

/** Why somebody may not give a member another role; undefined where they may. `ownerCount` is that of the organization. */
export function roleChangeRefusal(
  by: Person,
  member: Person,
  to: Role,
  ownerCount: number,
): string | undefined {
  if (by.id === member.id) return 'Nobody changes their own role. Ask another owner or admin.'
  if (by.role !== 'OWNER' && member.role === 'OWNER') return 'Only an owner changes the role of an owner.'
  if (by.role !== 'OWNER' && to === 'OWNER') return 'Only an owner makes somebody an owner.'
  if (member.role === 'OWNER' && to !== 'OWNER' && ownerCount <= 1) return lastOwner
  return undefined
}

/** Why somebody may not remove a member; undefined where they may. */
export function removalRefusal(by: Person, member: Person, ownerCount: number): string | undefined {
  if (by.id === member.id)
    return 'You cannot remove yourself. Leave the organization in its settings instead.'
  if (by.role !== 'OWNER' && member.role === 'OWNER') return 'Only an owner removes an owner.'
  return member.role === 'OWNER' && ownerCount <= 1 ? lastOwner : undefined
}

/** Why a member cannot leave; undefined where they can. */
export function leaveRefusal(member: Pick<Person, 'role'>, ownerCount: number): string | undefined {
  if (member.role !== 'OWNER' || ownerCount > 1) return undefined
  return 'The last owner cannot leave. Transfer the ownership first, or delete the organization.'
}

const lastOwner = 'The last owner stays owner. Transfer the ownership to somebody else first.'
