import type { InvitationPreview, MemberJoinedMessage, Organization, User } from '@bey/contract'
import { hashToken } from '../../../platform/crypto/token.ts'
import type { Db } from '../../../platform/db/database.ts'
import { findInvitation, findLogin } from '../../../platform/db/gateway.ts'
import { act, linkHolder, type Person, personActor } from '../../../platform/act.ts'
import type { Refusals } from '../../../platform/audit/refusals.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Caller, PublicCaller } from '../../../platform/http/handlers.ts'
import { presentPerson } from '../../../platform/present-actor.ts'
import { enqueue, messageOf } from '../../../platform/webhooks/enqueue.ts'
import { publishMembers } from '../parts.ts'
import { statusOf } from './present.ts'
import { invitationOver } from './invitation-errors.ts'
import type { InvitationParts } from './invitation-link.ts'
import {
  countOrganizationsOf,
  findOrganization,
  type InvitationRow,
  joinOrganization,
  lockInvitation,
  updateInvitation,
} from './store.ts'

/** Organizations that one user may belong to. */
const maxOrganizationsPerUser = 100

/** Makes an account, lets `join` make its membership, and begins a session, all in one transaction. */
export type Register = (
  account: { email: string; name: string; password: string },
  caller: PublicCaller,
  join: (db: Db, userId: number) => Promise<number>,
) => Promise<{ token: string; user: User }>

type AnswerParts = Pick<InvitationParts, 'database' | 'clock'> & { register: Register; refusals: Refusals }

/** Invitations as those see them who were invited. Whoever has the link may see it; to join takes its address. */
export function createAnswers({ database, clock, register, refusals }: AnswerParts) {
  async function find(token: string) {
    const found = await findInvitation(database.pool, hashToken(token))
    if (found === undefined) throw unknownLink()
    return found
  }

  /** Counts who comes with a link that is over; answers what passes the error on. */
  function countOver(organizationId: number, id: string, from: PublicCaller, user?: Caller['user']) {
    const { ip, userAgent, requestId } = from
    return (error: unknown): never => {
      if (error instanceof AppError && error.code === 'invitation_over') {
        refusals.count({
          organizationId,
          ...(user ? { actor: personActor(user) } : linkHolder(organizationId, id, from)),
          via: 'console',
          action: 'invitation.accept',
          target: { type: 'invitation', id },
          reason: error.message,
          origin: { ip, userAgent, requestId },
        })
      }
      throw error
    }
  }

  /** The invitation of a link, locked, if it still waits and was not made again meanwhile. */
  async function open(db: Db, organizationId: number, id: string, token: string): Promise<InvitationRow> {
    const row = await lockInvitation(db, organizationId, id)
    if (row === undefined || !row.tokenHash.equals(hashToken(token))) throw unknownLink()
    const status = statusOf(row, clock.now())
    if (status !== 'pending') throw invitationOver(status)
    const organization = await findOrganization(db, organizationId)
    if (organization?.deletesAt != null) {
      throw new AppError('invitation_over', `${organization.name} is being deleted, so nobody can join it.`)
    }
    return row
  }

  return {
    async preview(token: string): Promise<InvitationPreview> {
      const { organizationId, invitationId } = await find(token)
      const shown = await database.withTenant(organizationId, async (db) => {
        const row = await open(db, organizationId, invitationId, token)
        const organization = await findOrganization(db, organizationId)
        return { row, organizationName: organization?.name ?? '' }
      })
      const { email, role, invitedById, inviterName, inviterEmail, expiresAt } = shown.row
      const hasAccount = (await findLogin(database.pool, email)) !== undefined
      return {
        organizationName: shown.organizationName,
        invitedBy: presentPerson(invitedById, inviterName, inviterEmail),
        email,
        role,
        expiresAt: expiresAt.toISOString(),
        hasAccount,
      }
    },

    async accept(token: string, caller: Caller): Promise<{ organization: Organization }> {
      const { organizationId, invitationId } = await find(token)
      const outcome = await database
        .asSystem('accept an invitation', async (db) => {
          const row = await open(db, organizationId, invitationId, token)
          if (row.email !== caller.user.email) {
            // Another address must not use it up; the trail shows who tried.
            await act(
              db,
              { ...caller, organizationId },
              {
                action: 'invitation.accept',
                class: 'access',
                target: { type: 'invitation', id: row.id, name: row.email },
                outcome: 'denied',
              },
            )
            return { refusedFor: row.email }
          }
          if ((await countOrganizationsOf(db, caller.user.id)) >= maxOrganizationsPerUser) {
            throw new AppError(
              'limit_reached',
              `You belong to ${maxOrganizationsPerUser} organizations, which is the most. Leave one first.`,
            )
          }
          await join(db, clock.now(), row, caller.user, caller)
          const organization = await findOrganization(db, organizationId)
          return { organization: { id: organizationId, name: organization?.name ?? '', role: row.role } }
        })
        .catch(countOver(organizationId, invitationId, caller, caller.user))
      if (outcome.organization) return { organization: outcome.organization }
      throw new AppError(
        'wrong_account',
        `This invitation is for ${outcome.refusedFor}, and you are logged in as ${caller.user.email}. Log out, then open the link again.`,
      )
    },

    /** Creates the account of the invited address: the link proves that the address is theirs. */
    async signUp(input: { token: string; name: string; password: string }, caller: PublicCaller) {
      const { organizationId, invitationId } = await find(input.token)
      const { email } = await database
        .withTenant(organizationId, (db) => open(db, organizationId, invitationId, input.token))
        .catch(countOver(organizationId, invitationId, caller))
      const account = { email, name: input.name, password: input.password }
      return register(account, caller, async (db, userId) => {
        const row = await open(db, organizationId, invitationId, input.token)
        await join(db, clock.now(), row, { id: userId, name: input.name, email }, caller)
        return organizationId
      })
    },

    async reject(token: string, caller: PublicCaller): Promise<void> {
      const { organizationId, invitationId } = await find(token)
      await database.withTenant(organizationId, async (db) => {
        const { id, email } = await open(db, organizationId, invitationId, token)
        await updateInvitation(db, organizationId, id, { status: 'rejected', endedAt: clock.now() })
        await publishMembers(db, organizationId, null)
        await act(db, linkHolder(organizationId, id, caller), {
          action: 'invitation.reject',
          class: 'access',
          target: { type: 'invitation', id, name: email },
        })
      })
    },
  }
}

/** Makes the membership and ends the invitation. */
async function join(db: Db, now: Date, row: InvitationRow, user: Person, from: PublicCaller) {
  const { organizationId, id, role } = row
  await joinOrganization(db, { organizationId, userId: user.id, role, invitedBy: row.invitedById })
  await updateInvitation(db, organizationId, id, {
    status: 'accepted',
    endedAt: now,
    acceptedBy: user.id,
  })
  await publishMembers(db, organizationId, user.id)
  const message: MemberJoinedMessage = { userId: user.id, name: user.name, email: user.email, role }
  await enqueue(db, [messageOf(organizationId, 'member.joined', message)])
  await act(
    db,
    { ...from, organizationId, user, via: 'session' },
    {
      action: 'invitation.accept',
      class: 'access',
      target: { type: 'invitation', id, name: row.email },
      diff: { role },
    },
  )
}

function unknownLink(): AppError {
  return new AppError(
    'not_found',
    'This link opens no invitation. It may have been replaced by a newer one, or it was not copied whole.',
  )
}
