import { notificationBounds } from '@bey/contract'

import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { statement } from '../../platform/db/prepared.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import type { OnNewDevice } from '../auth/sign-in.ts'
import type { Publish } from '../workflows/ports.ts'

/** Tells people of a sign-in from a device that their account does not know, in the console and by mail. */
export function signInNotices({ publish }: { publish: Publish }): OnNewDevice {
  return async (db, { user, ip, userAgent, at }) => {
    const detail = `From the address ${ip}${userAgent ? `, with ${userAgent}` : ''}. If it was not you, end the session and change your password.`
    const organizationId = user.activeOrganizationId
    if (organizationId !== null) {
      await insertNotice(db, [
        organizationId,
        user.id,
        'New sign-in to your account',
        detail.slice(0, notificationBounds.maxDetail),
        at,
        uuidv7(),
      ])
      await publish(db, [{ organizationId, type: 'NOTIFICATIONS_UPDATE', data: { userId: user.id } }])
    }
    await enqueueMail(db, {
      to: user.email,
      subject: 'New sign-in to your account at Bey',
      text: `Hello ${user.name},

somebody signed in to your account at Bey from a device that it does not know.

Time: ${at.toISOString()}
Address: ${ip}
Browser: ${userAgent || 'unknown'}

If it was you, there is nothing to do. If not, open your profile, end the session and change your password.
`,
    })
  }
}

const insertNotice = statement(
  'notification_of_sign_in',
  `insert into notifications (organization_id, user_id, id, kind, level, title, detail, href, at)
  values ($1, $2, $6, 'account', 'warning', $3, $4, '/profile', $5)`,
)
