import { presentPerson } from '../../../platform/present-actor.ts'
import type { Invitation, InvitationStatus } from '@bey/contract'
import type { InvitationRow, MailOutcome } from './store.ts'

export function statusOf(
  { status, expiresAt }: Pick<InvitationRow, 'status' | 'expiresAt'>,
  now: Date,
): InvitationStatus {
  return status === 'pending' && expiresAt <= now ? 'expired' : status
}

export function presentInvitation(row: InvitationRow, mail: MailOutcome | undefined, now: Date): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: statusOf(row, now),
    invitedBy: presentPerson(row.invitedById, row.inviterName, row.inviterEmail),
    createdAt: row.createdAt.toISOString(),
    sentAt: row.sentAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    mail: mailOf(row, mail),
  }
}

function mailOf({ mailId }: InvitationRow, mail: MailOutcome | undefined): Invitation['mail'] {
  if (mailId === null || mail?.outcome === 'dropped') return { status: 'none', reason: null }
  // Rows of mails are deleted some days after they were sent.
  if (mail === undefined || mail.outcome === 'sent' || mail.outcome === 'filed')
    return { status: 'sent', reason: null }
  if (mail.outcome === 'failed') return { status: 'failed', reason: mail.lastError }
  return { status: 'waiting', reason: mail.lastError }
}
