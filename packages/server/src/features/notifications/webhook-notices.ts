import { notificationBounds, roles, roleHas } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { statement } from '../../platform/db/prepared.ts'
import type { OnDisabled } from '../webhooks/delivery/record-failure.ts'
import type { Publish } from '../workflows/ports.ts'

/** Notifies anyone who manages webhooks that the server disabled one. */
export function webhookNotices({ publish, clock }: { publish: Publish; clock: Clock }): OnDisabled {
  return async (db, { organizationId, id, name, reason }) => {
    const managers = await holdManagers(db, [
      organizationId,
      roles.filter((role) => roleHas(role, 'webhooks.manage')),
    ])
    const userIds = managers.map(({ userId }) => userId)
    await insertNotices(db, [
      organizationId,
      `The webhook ${name} was disabled`.slice(0, notificationBounds.maxTitle),
      `${reason} Nothing is sent to it until somebody enables it again; what was not delivered can be replayed.`,
      `/workspaces/settings/webhooks/${id}`,
      clock.now(),
      uuidv7(),
      userIds,
    ])
    await publish(
      db,
      userIds.map((userId) => ({ organizationId, type: 'NOTIFICATIONS_UPDATE' as const, data: { userId } })),
    )
  }
}

// Held, so that none can go between this and the check of the foreign key.
const holdManagers = statement<{ userId: number }>(
  'webhook_managers',
  `select user_id as "userId" from memberships where organization_id = $1 and role = any($2::text[]) for key share`,
)

// Ids are unique for their user alone.
const insertNotices = statement(
  'notification_of_webhook',
  `insert into notifications (organization_id, user_id, id, kind, level, title, detail, href, at)
  select $1, user_id, $6, 'webhook', 'error', $2, $3, $4, $5 from unnest($7::int[]) user_id`,
)
