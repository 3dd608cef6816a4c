import type { User } from '@bey/contract'
import type { PublicCaller } from '../../../platform/http/handlers.ts'

type Text = { subject: string; text: string }

export function resetMail(user: User, link: string, { ip }: PublicCaller): Text {
  return {
    subject: 'Choose a new password for Bey',
    text: `Hello ${user.name},

somebody asked for a new password for your account at Bey, from the address ${ip}.

Open this link to choose one. It is good once, for 30 minutes:

${link}

If it was not you, ignore this mail: your password stays as it is.
`,
  }
}

export function passwordChangedMail(user: User, { ip }: PublicCaller): Text {
  return {
    subject: 'Your password for Bey was changed',
    text: `Hello ${user.name},

the password of your account at Bey was changed by a link that was sent to this address, from the address ${ip}. Every session was ended.

If it was not you, somebody reads your mail: secure your mailbox first, then ask for a new password again.
`,
  }
}
