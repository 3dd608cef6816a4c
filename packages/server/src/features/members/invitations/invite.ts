import { act } from '../../../platform/act.ts'
import { invitationBounds, type InvitationResult, type InvitationRole, isEmail } from '@bey/contract'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { TenantCaller } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { publishMembers } from '../parts.ts'
import { lockOrganization } from '../store.ts'
import { type InvitationParts, makeLink, type Sending } from './invitation-link.ts'
import { readInvitation } from './read-invitation.ts'
import { countWaiting, insertInvitation, knownAddresses, updateInvitation } from './store.ts'

export type NewInvitations = Sending & { emails: readonly string[]; role: InvitationRole }

/** Invites each address by itself: a refused one does not stop the others. */
export async function inviteAll(
  parts: InvitationParts,
  caller: TenantCaller,
  given: NewInvitations,
): Promise<{ results: InvitationResult[] }> {
  const { database, clock, mail } = parts
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
      results.push(await inviteOne(parts, db, caller, email, { ...given, isMailed }))
    }
    if (results.some(({ outcome }) => outcome === 'invited')) await publishMembers(db, organizationId, null)
    return keepReply(db, { results })
  })
}

async function inviteOne(
  parts: InvitationParts,
  db: Db,
  caller: TenantCaller,
  email: string,
  { role, ...sending }: Omit<NewInvitations, 'emails'>,
): Promise<InvitationResult> {
  const id = uuidv7()
  const { organizationId } = caller
  const { link, values } = await makeLink(parts, db, caller, { id, round: 1, email, role }, sending)
  await insertInvitation(db, { ...values, id, organizationId, email, role, invitedBy: caller.user.id })
  await act(db, caller, {
    action: 'invitation.create',
    class: 'create',
    target: { type: 'invitation', id, name: email },
    diff: { role, expiresAt: values.expiresAt.toISOString(), isMailed: sending.isMailed },
  })
  const message = sending.isMailed
    ? `A mail with the link is on its way to ${email}.`
    : `Give the link to ${email}.`
  return {
    email,
    outcome: 'invited',
    message,
    link,
    invitation: await readInvitation(parts, db, organizationId, id),
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

function tooMany(): AppError {
  return new AppError(
    'limit_reached',
    `This organization has ${invitationBounds.pending} invitations that wait, which is the limit. Revoke some first; none of these was sent.`,
  )
}
