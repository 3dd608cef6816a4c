import { notificationBounds } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { statement } from '../../platform/db/prepared.ts'
import type { OnSecretNotice } from '../secrets/expiry.ts'
import type { Publish } from '../workflows/ports.ts'

/** Notifies the managers of a secret of its expiry and of failed rotations. */
export function secretNotices({ publish, clock }: { publish: Publish; clock: Clock }) {
  const notify: OnSecretNotice = async (db, notice) => {
    const { organizationId, secretId, level, title, detail, userIds } = notice
    await insertNotices(db, [
      organizationId,
      level,
      title.slice(0, notificationBounds.maxTitle),
      detail.slice(0, notificationBounds.maxDetail),
      `/secrets/${secretId}`,
      clock.now(),
      uuidv7(),
      [...userIds],
    ])
    await publish(
      db,
      userIds.map((userId) => ({ organizationId, type: 'NOTIFICATIONS_UPDATE' as const, data: { userId } })),
    )
  }
  return notify
}

// Ids are unique for their user alone.
const insertNotices = statement(
  'notification_of_secret',
  `insert into notifications (organization_id, user_id, id, kind, level, title, detail, href, at)
  select $1, user_id, $7, 'secret', $2, $3, $4, $5, $6 from unnest($8::int[]) user_id`,
)
