import { act } from '../../platform/act.ts'
import { deniedReason, type Permission, type Role, roleChangeRefusal } from '@bey/contract'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { endAccess } from '../../platform/live/access-end.ts'
import { memberTarget, type MemberParts, noSuchMember, type Person, publishMembers, refuse } from './parts.ts'
import { presentMember } from './present.ts'
import { countOwners, findMember, listMembers, lockOrganization, setRole } from './store.ts'

/** Changes of roles, and of who owns the organization. */
export function createRoles({ database }: Pick<MemberParts, 'database'>) {
  /** Writes the role, and lets what the member has open be checked again in every process. */
  async function change(
    db: Db,
    caller: TenantCaller,
    member: Person,
    to: Role,
    action: string,
  ): Promise<void> {
    const { organizationId } = caller
    await setRole(db, organizationId, member.id, to)
    await endAccess(db, { kind: 'member', organizationId, userId: member.id })
    await publishMembers(db, organizationId, member.id)
    await act(db, caller, {
      action,
      class: 'access',
      target: memberTarget(member),
      diff: { role: { from: member.role, to } },
    })
  }

  return {
    async setRole(caller: TenantCaller, memberId: number, to: Role) {
      const { organizationId } = caller
      const outcome = await database.withTenant(organizationId, async (db) => {
        // Two who demote each other at once come one after the other, so that the second one counts what the first left.
        await lockOrganization(db, organizationId)
        const member = await findMember(db, organizationId, memberId)
        if (member === undefined) throw noSuchMember()
        const by = await actor(db, caller, 'members.update')
        const reason = roleChangeRefusal(by, member, to, await countOwners(db, organizationId))
        if (reason !== undefined) return { member, reason }
        if (member.role !== to) await change(db, caller, member, to, 'member.set_role')
        return { member, reason }
      })
      if (outcome.reason !== undefined) {
        const diff = { role: { from: outcome.member.role, to } }
        const act = { action: 'member.set_role', class: 'access', diff } as const
        return refuse({ database }, caller, outcome.member, act, outcome.reason)
      }
      return { member: await load(organizationId, memberId) }
    },

    /** Makes another member an owner and the caller an admin, at once. */
    transfer(caller: TenantCaller, toUserId: number) {
      const { organizationId } = caller
      return database.withTenant(organizationId, async (db) => {
        await lockOrganization(db, organizationId)
        const from = await actor(db, caller, 'organization.transfer')
        const to = await findMember(db, organizationId, toUserId)
        if (to === undefined) throw noSuchMember()
        if (to.id === from.id)
          throw new AppError('conflict', 'You own this organization already. Choose somebody else.')
        if (to.role !== 'OWNER') await change(db, caller, to, 'OWNER', 'organization.transfer')
        await change(db, caller, from, 'ADMIN', 'organization.transfer')
        const { rows } = await listMembers(db, organizationId, { id: to.id, sort: 'name', page: 1, limit: 1 })
        const [row] = rows
        if (row === undefined) throw noSuchMember()
        return keepReply(db, { owner: presentMember(row) })
      })
    },
  }

  async function load(organizationId: number, id: number) {
    const { rows } = await database.readTenant(organizationId, (db) =>
      listMembers(db, organizationId, { id, sort: 'name', page: 1, limit: 1 }),
    )
    const [row] = rows
    if (row === undefined) throw noSuchMember()
    return presentMember(row)
  }
}

/** The caller with the role of this moment, which must hold the permission: what was read with the session may be older. */
export async function actor(db: Db, caller: TenantCaller, permission: Permission): Promise<Person> {
  const found = await findMember(db, caller.organizationId, caller.user.id)
  if (found === undefined)
    throw new AppError(
      'not_found',
      'There is no such organization among yours. Choose one of yours, or ask its owner for an invitation.',
    )
  const denied = deniedReason(found.role, permission)
  if (denied !== undefined) throw new AppError('forbidden', denied)
  return found
}
