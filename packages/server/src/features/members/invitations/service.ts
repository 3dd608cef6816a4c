import { invitationBounds, type InvitationResult, type InvitationRole, isEmail } from '@bey/contract'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { TenantCaller } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import type { MailDelivery } from '../../../platform/mail/mail.ts'
import { enqueueMail } from '../../../platform/mail/outbox.ts'
import { type MemberParts, publishMembers, recordAct } from '../parts.ts'
import { lockOrganization } from '../store.ts'
import { invitationMail } from './mail-text.ts'
import { presentInvitation, statusOf } from './present.ts'
import {
  countWaiting,
  findOrganization,
  insertInvitation,
  type InvitationRow,
  knownAddresses,
  listInvitations,
  lockInvitation,
  mailOutcomes,
  updateInvitation,
} from './store.ts'
import type { InvitationTokens } from './token.ts'

export type InvitationParts = Pick<MemberParts, 'database' | 'clock'> & {
  tokens: InvitationTokens
  mail: MailDelivery
  /** Where people open the console, without a slash at the end. */
  address: () => string
}

type NewInvitations = {
  emails: readonly string[]
  role: InvitationRole
  expiresInHours: number
  isMailed: boolean
}
type Resend = { expiresInHours: number; isMailed: boolean }

/** Invitations as those see them who may invite. */
export function createInvitations(parts: InvitationParts) {
  const { database, clock, tokens, mail } = parts
  // The fragment stays in the browser, so neither this server's log nor a proxy's ever holds it.
  const linkOf = (token: string) => `${parts.address()}/invite#${token}`

  /** Makes the link of a round, queues its mail where one is wanted, and answers both. */
  async function makeLink(
    db: Db,
    caller: TenantCaller,
    invitation: { id: string; round: number; email: string; role: InvitationRole },
    { expiresInHours, isMailed }: Resend,
  ) {
    const now = clock.now()
    const { token, tokenHash } = tokens.newToken(invitation)
    const link = linkOf(token)
    const expiresAt = new Date(now.getTime() + expiresInHours * 3_600_000)
    const organization = await findOrganization(db, caller.organizationId)
    const mailId = isMailed
      ? await enqueueMail(
          db,
          invitationMail({
            ...invitation,
            organizationName: caller.organizationName,
            inviter: caller.user.name,
            link,
            expiresAt,
            timeZone: organization?.timeZone ?? 'UTC',
          }),
        )
      : null
    return { link, values: { round: invitation.round, tokenHash, sentAt: now, expiresAt, mailId } }
  }

  async function present(db: Db, organizationId: number, id: string) {
    const row = await lockInvitation(db, organizationId, id)
    if (row === undefined) throw noSuchInvitation()
    const outcomes = await mailOutcomes(db, row.mailId === null ? [] : [row.mailId])
    return presentInvitation(row, row.mailId === null ? undefined : outcomes.get(row.mailId), clock.now())
  }

  /** An invitation that can still be changed, locked. */
  async function open(db: Db, caller: TenantCaller, id: string): Promise<InvitationRow> {
    const row = await lockInvitation(db, caller.organizationId, id)
    if (row === undefined) throw noSuchInvitation()
    if (row.status !== 'pending') throw invitationOver(row.status)
    return row
  }

  async function inviteOne(
    db: Db,
    caller: TenantCaller,
    email: string,
    { role, ...sending }: Omit<NewInvitations, 'emails'>,
  ): Promise<InvitationResult> {
    const id = uuidv7()
    const { organizationId } = caller
    const { link, values } = await makeLink(db, caller, { id, round: 1, email, role }, sending)
    await insertInvitation(db, { ...values, id, organizationId, email, role, invitedBy: caller.user.id })
    await recordAct(db, organizationId, caller, {
      action: 'invitation.create',
      class: 'create',
      target: { type: 'invitation', id, name: email },
      diff: { role, expiresAt: values.expiresAt.toISOString(), isMailed: sending.isMailed },
    })
    const message = sending.isMailed
      ? `A mail with the link is on its way to ${email}.`
      : `Give the link to ${email}.`
    return { email, outcome: 'invited', message, link, invitation: await present(db, organizationId, id) }
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

    /** Invites each address by itself: one that is refused keeps no other from being invited. */
    async create(caller: TenantCaller, given: NewInvitations): Promise<{ results: InvitationResult[] }> {
      const { organizationId } = caller
      const isMailed = given.isMailed && (await mail.isMailConfigured())
      const emails = [...new Set(given.emails.map((email) => email.trim().toLowerCase()))]
      return database.withTenant(organizationId, async (db) => {
        // Two who invite the same address at once come one after the other.
        await lockOrganization(db, organizationId)
        const now = clock.now()
        const known = await knownAddresses(db, organizationId, emails)
        const results: InvitationResult[] = []
        let waiting = await countWaiting(db, organizationId, now)
        for (const email of emails) {
          const refused = refusalOf(email, known, now)
          if (refused) {
            results.push({ email, ...refused, link: null, invitation: null })
            continue
          }
          waiting += 1
          if (waiting > invitationBounds.pending) throw tooMany()
          const expired = known.pending.find((each) => each.email === email)
          if (expired)
            await updateInvitation(db, organizationId, expired.id, { status: 'cancelled', endedAt: now })
          results.push(await inviteOne(db, caller, email, { ...given, isMailed }))
        }
        if (results.some(({ outcome }) => outcome === 'invited'))
          await publishMembers(db, organizationId, null)
        return keepReply(db, { results })
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
        await recordAct(db, caller.organizationId, caller, {
          action: 'invitation.read_link',
          class: 'access',
          target: { type: 'invitation', id, name: row.email },
        })
        return { link: linkOf(token) }
      })
    },

    async resend(caller: TenantCaller, id: string, sending: Resend) {
      const { organizationId } = caller
      const isMailed = sending.isMailed && (await mail.isMailConfigured())
      return database.withTenant(organizationId, async (db) => {
        const row = await open(db, caller, id)
        const next = { id, round: row.round + 1, email: row.email, role: row.role }
        const { link, values } = await makeLink(db, caller, next, { ...sending, isMailed })
        await updateInvitation(db, organizationId, id, values)
        await publishMembers(db, organizationId, null)
        await recordAct(db, organizationId, caller, {
          action: 'invitation.resend',
          class: 'update',
          target: { type: 'invitation', id, name: row.email },
          diff: { round: next.round, expiresAt: values.expiresAt.toISOString(), isMailed },
        })
        return keepReply(db, { link, invitation: await present(db, organizationId, id) })
      })
    },

    async revoke(caller: TenantCaller, id: string): Promise<void> {
      const { organizationId } = caller
      await database.withTenant(organizationId, async (db) => {
        const { email } = await open(db, caller, id)
        await updateInvitation(db, organizationId, id, { status: 'cancelled', endedAt: clock.now() })
        await publishMembers(db, organizationId, null)
        await recordAct(db, organizationId, caller, {
          action: 'invitation.revoke',
          class: 'delete',
          target: { type: 'invitation', id, name: email },
        })
      })
    },
  }
}

type Refused = Pick<InvitationResult, 'outcome' | 'message'>

function refusalOf(
  email: string,
  known: Awaited<ReturnType<typeof knownAddresses>>,
  now: Date,
): Refused | undefined {
  if (!isEmail(email)) {
    return { outcome: 'invalid', message: 'This is no e-mail address. Write it like name@example.com.' }
  }
  if (known.members.has(email)) {
    return { outcome: 'already_member', message: `${email} belongs to this organization already.` }
  }
  if (known.pending.some((each) => each.email === email && each.expiresAt > now)) {
    return {
      outcome: 'already_invited',
      message: `An invitation for ${email} waits already. Send it again or revoke it in the list.`,
    }
  }
  return undefined
}

export function invitationOver(status: 'accepted' | 'rejected' | 'cancelled' | 'expired'): AppError {
  return new AppError('invitation_over', overTexts[status])
}

const overTexts = {
  accepted: 'This invitation was accepted already. Log in to open the organization.',
  rejected: 'This invitation was declined. Ask whoever invited you for another one.',
  cancelled: 'This invitation was revoked. Ask whoever invited you for another one.',
  expired: 'This invitation has expired. Ask whoever invited you to send it again.',
} as const

function noSuchInvitation(): AppError {
  return new AppError('not_found', 'There is no such invitation of this organization.')
}

function tooMany(): AppError {
  return new AppError(
    'limit_reached',
    `This organization has ${invitationBounds.pending} invitations that wait, which is the limit. Revoke some first; none of these was sent.`,
  )
}
