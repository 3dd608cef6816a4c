import type { Health } from '@bey/contract'
import { notificationBounds } from '@bey/contract'
import { redactText } from '@bey/contract/redact-text'

import type { Clock } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/prepared.ts'
import type { Publish } from '../workflows/ports.ts'

type HealthMove = {
  cluster: { id: number; organizationId: number; title: string }
  to: 'trouble' | 'recovery'
  health: Health
}

/** Notifies every member of the organization when a cluster starts to fail, cannot be read, or has recovered. */
export function healthNotices({ publish, clock }: { publish: Publish; clock: Clock }) {
  return async (db: Db, { cluster, to, health }: HealthMove): Promise<void> => {
    const { organizationId } = cluster
    const isTrouble = to === 'trouble'
    const words = !isTrouble
      ? 'has recovered'
      : health.state === 'unknown'
        ? 'cannot be looked at'
        : 'is failing'
    // Held, so that none can go between this and the check of the foreign key.
    const members = await holdMembers(db, [organizationId])
    const userIds = members.map(({ userId }) => userId)
    await insertNotices(db, [
      organizationId,
      isTrouble ? 'error' : 'success',
      `${cluster.title} ${words}`.slice(0, notificationBounds.maxTitle),
      isTrouble && health.detail ? redactText(health.detail).slice(0, notificationBounds.maxDetail) : null,
      `/kubernetes/clusters/${cluster.id}`,
      String(cluster.id),
      cluster.title,
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

const holdMembers = statement<{ userId: number }>(
  'members_to_tell',
  'select user_id as "userId" from memberships where organization_id = $1 for key share',
)

// Ids are unique for their user alone.
const insertNotices = statement(
  'notification_of_health',
  `insert into notifications
    (organization_id, user_id, id, kind, level, title, detail, href, subject_type, subject_id, subject_name, at)
  select $1, user_id, $9, 'health', $2, $3, $4, $5, 'cluster', $6, left($7, 200), $8
  from unnest($10::int[]) user_id`,
)
