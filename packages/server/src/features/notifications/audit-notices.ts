import { notificationBounds, roleHas, roles } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { statement } from '../../platform/db/prepared.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import type { OnBroken } from '../audit/verification.ts'
import type { Publish } from '../workflows/ports.ts'

const path = '/workspaces/settings/security?tab=audit'

type NoticeParts = { publish: Publish; clock: Clock; baseUrl: string }

/** Tells owners and admins that the audit log was tampered with, in the console and by mail, with what to do. */
export function auditNotices({ publish, clock, baseUrl }: NoticeParts): OnBroken {
  return async (db, { organizationId, position, problem }) => {
    const readers = await holdReaders(db, [
      organizationId,
      roles.filter((role) => roleHas(role, 'audit.read')),
    ])
    const title = `The audit log breaks at entry ${position}`
    await insertNotices(db, [
      organizationId,
      title,
      `${problem}. Open the log to see the entry, and compare it with a stream or an exported copy. Only who can write to the database itself can do this.`.slice(
        0,
        notificationBounds.maxDetail,
      ),
      path,
      clock.now(),
      uuidv7(),
      readers.map(({ userId }) => userId),
    ])
    for (const { email, name, organization } of readers) {
      await enqueueMail(db, {
        to: email,
        subject: `${title}: ${organization}`,
        text: `Hello ${name},

the server verified the audit log of ${organization}, and it does not fit at entry ${position}:
${problem}.

Entries cannot be changed through Bey. Somebody wrote to the database itself, or it was damaged.

What to do:
1. Open the log: ${baseUrl}${path}
2. Compare the entries around ${position} with your stream or with an exported copy.
3. Keep the database as it is, and a copy of the signed checkpoints (Export, Signed checkpoints).
4. Find out who can connect to the database, and change those credentials.
`,
      })
    }
    await publish(
      db,
      readers.map(({ userId }) => ({
        organizationId,
        type: 'NOTIFICATIONS_UPDATE' as const,
        data: { userId },
      })),
    )
  }
}

// Held, so that none can go between this and the check of the foreign key.
const holdReaders = statement<{ userId: number; email: string; name: string; organization: string }>(
  'audit_readers',
  `select m.user_id as "userId", u.email, u.name, o.name as organization
  from memberships m
  join users u on u.id = m.user_id
  join organizations o on o.id = m.organization_id
  where m.organization_id = $1 and m.role = any($2::text[]) for key share of m`,
)

// Ids are unique for their user alone.
const insertNotices = statement(
  'notification_of_audit',
  `insert into notifications (organization_id, user_id, id, kind, level, title, detail, href, at)
  select $1, user_id, $6, 'audit', 'error', $2, $3, $4, $5 from unnest($7::int[]) user_id`,
)
