import { act } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { TenantCaller } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { publishMembers } from '../parts.ts'
import { invitationOver, noSuchInvitation } from './invitation-errors.ts'
import { type InvitationParts, linkOf, makeLink, type Sending } from './invitation-link.ts'
import { inviteAll, type NewInvitations } from './invite.ts'
import { presentInvitation, statusOf } from './present.ts'
import { readInvitation } from './read-invitation.ts'
import {
  type InvitationRow,
  listInvitations,
  lockInvitation,
  mailOutcomes,
  updateInvitation,
} from './store.ts'

/** Invitations as those see them who may invite. */
export function createInvitations(parts: InvitationParts) {
  const { database, clock, tokens, mail } = parts

  /** An invitation that can still be changed, locked. */
  async function open(db: Db, caller: TenantCaller, id: string): Promise<InvitationRow> {
    const row = await lockInvitation(db, caller.organizationId, id)
    if (row === undefined) throw noSuchInvitation()
    if (row.status !== 'pending') throw invitationOver(row.status)
    return row
  }

  return {
    async list(caller: TenantCaller, query: { search?: string | undefined; page: number; limit: number }) {
      const { organizationId } = caller
      const isMailConfigured = await mail.isMailConfigured()
      return database.readTenant(organizationId, async (db) => {
        const { rows, ...total } = await listInvitations(db, organizationId, query)
        const outcomes = await mailOutcomes(
          db,
          rows.flatMap(({ mailId }) => mailId ?? []),
        )
        const now = clock.now()
        const invitations = rows.map((row) =>
          presentInvitation(row, row.mailId === null ? undefined : outcomes.get(row.mailId), now),
        )
        return { invitations, ...total, page: query.page, limit: query.limit, isMailConfigured }
      })
    },

    /** The link of an invitation that waits. It is a credential, so that asking for it is recorded. */
    link(caller: TenantCaller, id: string) {
      return database.withTenant(caller.organizationId, async (db) => {
        const row = await open(db, caller, id)
        if (statusOf(row, clock.now()) === 'expired') throw invitationOver('expired')
        const token = tokens.tokenOf(row)
        if (token === undefined) {
          throw new AppError(
            'invitation_over',
            'The root key of the server was changed since this link was made. Send the invitation again.',
          )
        }
        await act(db, caller, {
          action: 'invitation.read_link',
          class: 'access',
          target: { type: 'invitation', id, name: row.email },
        })
        return { link: linkOf(parts, token) }
      })
    },

    create: (caller: TenantCaller, given: NewInvitations) => inviteAll(parts, caller, given),

    async resend(caller: TenantCaller, id: string, sending: Sending) {
      const { organizationId } = caller
      const isMailed = sending.isMailed && (await mail.isMailConfigured())
      return database.withTenant(organizationId, async (db) => {
        const row = await open(db, caller, id)
        const next = { id, round: row.round + 1, email: row.email, role: row.role }
        const { link, values } = await makeLink(parts, db, caller, next, { ...sending, isMailed })
        await updateInvitation(db, organizationId, id, values)
        await publishMembers(db, organizationId, null)
        await act(db, caller, {
          action: 'invitation.resend',
          class: 'update',
          target: { type: 'invitation', id, name: row.email },
          diff: { round: next.round, expiresAt: values.expiresAt.toISOString(), isMailed },
        })
        return keepReply(db, { link, invitation: await readInvitation(parts, db, organizationId, id) })
      })
    },

    async revoke(caller: TenantCaller, id: string): Promise<void> {
      const { organizationId } = caller
      await database.withTenant(organizationId, async (db) => {
        const { email } = await open(db, caller, id)
        await updateInvitation(db, organizationId, id, { status: 'cancelled', endedAt: clock.now() })
        await publishMembers(db, organizationId, null)
        await act(db, caller, {
          action: 'invitation.revoke',
          class: 'delete',
          target: { type: 'invitation', id, name: email },
        })
      })
    },
  }
}
