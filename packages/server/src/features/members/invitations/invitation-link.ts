import type { InvitationRole } from '@bey/contract'
import type { Db } from '../../../platform/db/database.ts'
import type { TenantCaller } from '../../../platform/http/handlers.ts'
import type { MailDelivery } from '../../../platform/mail/mail.ts'
import { enqueueMail } from '../../../platform/mail/outbox.ts'
import type { MemberParts } from '../parts.ts'
import { invitationMail } from './mail-text.ts'
import { findOrganization } from './store.ts'
import type { InvitationTokens } from './token.ts'

export type InvitationParts = Pick<MemberParts, 'database' | 'clock'> & {
  tokens: InvitationTokens
  mail: MailDelivery
  /** Where people open the console, without a slash at the end. */
  address: () => string
}

/** How long a link holds, and whether a mail carries it. */
export type Sending = { expiresInHours: number; isMailed: boolean }

/** The address that opens an invitation. The fragment stays in the browser: no server and no proxy logs it. */
export function linkOf({ address }: Pick<InvitationParts, 'address'>, token: string): string {
  return `${address()}/invite#${token}`
}

/** Makes the link of a round, queues its mail where one is wanted, and answers both. */
export async function makeLink(
  parts: Pick<InvitationParts, 'clock' | 'tokens' | 'address'>,
  db: Db,
  caller: TenantCaller,
  invitation: { id: string; round: number; email: string; role: InvitationRole },
  { expiresInHours, isMailed }: Sending,
) {
  const now = parts.clock.now()
  const { token, tokenHash } = parts.tokens.newToken(invitation)
  const link = linkOf(parts, token)
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
