import { act } from '../../platform/act.ts'
import { type BelongingChoice, type Belongings, leaveRefusal, removalRefusal } from '@bey/contract'
import type { BelongingsKind } from '../../platform/belongings.ts'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { endAccess } from '../../platform/live/access-end.ts'
import { memberTarget, type MemberParts, noSuchMember, type Person, publishMembers, refuse } from './parts.ts'
import { actor } from './roles.ts'
import { countOwners, deleteMembership, findMember, lockOrganization } from './store.ts'

const itemsShown = 20

type Choices = Readonly<Record<string, BelongingChoice>>
type Removal = { choices: Choices; transferTo?: number | undefined }
type Settled = { kind: string; label: string; choice: BelongingChoice; count: number }

/** How members leave: removed by others, or by themselves. Either way everything of theirs ends in one transaction. */
export function createRemoval({ database, belongings }: MemberParts) {
  /** Settles what the person has and ends the membership, with whatever is open by it in every process. */
  async function end(
    db: Db,
    caller: TenantCaller,
    member: Person,
    { choices, transferTo }: Removal,
    action: 'member.remove' | 'member.leave',
  ): Promise<Settled[]> {
    const { organizationId } = caller
    const of = { organizationId, userId: member.id }
    const settled: Settled[] = []
    for (const each of belongings()) {
      const choice = choices[each.kind] ?? each.choices[0]
      const toUserId = choice === 'transfer' ? transferTo : undefined
      const count = await each.settle(db, of, { choice, toUserId, by: { userId: caller.user.id } })
      settled.push({ kind: each.kind, label: each.label, choice, count })
    }
    await deleteMembership(db, organizationId, member.id)
    await endAccess(db, { kind: 'member', organizationId, userId: member.id })
    await publishMembers(db, organizationId, member.id)
    await act(db, caller, {
      action,
      class: 'access',
      target: memberTarget(member),
      diff: {
        role: member.role,
        settled: settled.filter(({ count }) => count > 0),
        ...(transferTo && { transferTo }),
      },
    })
    return settled
  }

  return {
    async belongings(caller: TenantCaller, memberId: number): Promise<{ belongings: Belongings[] }> {
      const { organizationId } = caller
      return database.readTenant(organizationId, async (db) => {
        if ((await findMember(db, organizationId, memberId)) === undefined) throw noSuchMember()
        const found: Belongings[] = []
        for (const each of belongings()) {
          const { kind, label, hint, choices } = each
          const { total, items } = await each.list(db, { organizationId, userId: memberId }, itemsShown)
          if (total > 0) found.push({ kind, label, hint, total, items, choices: [...choices] })
        }
        return { belongings: found }
      })
    },

    async remove(caller: TenantCaller, memberId: number, removal: Removal): Promise<{ settled: Settled[] }> {
      const { organizationId } = caller
      requireChoices(belongings(), removal)
      const outcome = await database.withTenant(organizationId, async (db) => {
        await lockOrganization(db, organizationId)
        const member = await findMember(db, organizationId, memberId)
        if (member === undefined) throw noSuchMember()
        const by = await actor(db, caller, 'members.remove')
        const reason = removalRefusal(by, member, await countOwners(db, organizationId))
        if (reason !== undefined) return { member, reason }
        await requireReceiver(db, organizationId, member, removal)
        const settled = await end(db, caller, member, removal, 'member.remove')
        return { reply: await keepReply(db, { settled }) }
      })
      if (outcome.reply) return outcome.reply
      const act = { action: 'member.remove', class: 'access' } as const
      return refuse({ database }, caller, outcome.member, act, outcome.reason)
    },

    async leave(caller: TenantCaller): Promise<void> {
      const { organizationId } = caller
      const refusal = await database.withTenant(organizationId, async (db) => {
        await lockOrganization(db, organizationId)
        const member = await actor(db, caller, 'organization.read')
        const reason = leaveRefusal(member, await countOwners(db, organizationId))
        if (reason === undefined) await end(db, caller, member, { choices: {} }, 'member.leave')
        else {
          const target = memberTarget(member)
          await act(db, caller, {
            action: 'member.leave',
            class: 'access',
            target,
            outcome: 'denied',
          })
        }
        return reason
      })
      if (refusal !== undefined) throw new AppError('conflict', refusal)
    },
  }
}

function requireChoices(known: readonly BelongingsKind[], { choices, transferTo }: Removal): void {
  for (const [kind, choice] of Object.entries(choices)) {
    const found = known.find((each) => each.kind === kind)
    if (found === undefined) throw invalid(`choices.${kind}`, 'There is no such kind of belonging.')
    if (!found.choices.includes(choice)) {
      throw invalid(`choices.${kind}`, `${found.label}: choose ${found.choices.join(' or ')}.`)
    }
    if (choice === 'transfer' && transferTo === undefined) {
      throw invalid('transferTo', `Name the member who receives what is transferred.`)
    }
  }
}

async function requireReceiver(db: Db, organizationId: number, member: Person, { transferTo }: Removal) {
  if (transferTo === undefined) return
  const receiver = transferTo === member.id ? undefined : await findMember(db, organizationId, transferTo)
  if (receiver === undefined) throw invalid('transferTo', 'Choose another member of this organization.')
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_request', `${path}: ${message}`, { errors: [{ path, message }] })
}
