import type { Mail } from '../../../platform/mail/outbox.ts'

type InvitationMail = {
  email: string
  organizationName: string
  inviter: string
  role: string
  link: string
  expiresAt: Date
  /** An IANA name. */
  timeZone: string
}

/** The mail that brings the link of an invitation. */
export function invitationMail(invitation: InvitationMail): Mail {
  const { email, organizationName, inviter, role, link, expiresAt, timeZone } = invitation
  const ends = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(
    expiresAt,
  )
  return {
    to: email,
    subject: `${inviter} invites you to ${organizationName}`,
    text: [
      `${inviter} invites you to join ${organizationName} on Bey with the role ${role}.`,
      '',
      'Open this link to accept or decline:',
      link,
      '',
      `The link is for ${email} alone and works until ${ends} (${timeZone}).`,
      'If you do not know who sent it, ignore this mail.',
      '',
    ].join('\n'),
  }
}
