import type { Health } from '@bey/contract'
import { redactText } from '@bey/contract/redact-text'

import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/prepared.ts'
import type { Notify } from './rules/notify.ts'

type HealthMove = {
  cluster: { id: number; organizationId: number; title: string }
  to: 'trouble' | 'recovery'
  health: Health
}

/** Notifies every member of the organization when a cluster starts to fail, cannot be read, or has recovered. */
export function healthNotices(notify: Notify) {
  return async (db: Db, { cluster, to, health }: HealthMove): Promise<void> => {
    const { organizationId } = cluster
    const isTrouble = to === 'trouble'
    const words = !isTrouble
      ? 'has recovered'
      : health.state === 'unknown'
        ? 'cannot be looked at'
        : 'is failing'
    const members = await membersOf(db, [organizationId])
    await notify(db, {
      organizationId,
      kind: 'health',
      event: isTrouble ? 'health.failing' : 'health.recovered',
      level: isTrouble ? 'error' : 'success',
      title: `${cluster.title} ${words}`,
      detail: isTrouble && health.detail ? redactText(health.detail) : null,
      href: `/kubernetes/clusters/${cluster.id}`,
      subject: { type: 'cluster', id: String(cluster.id), name: cluster.title },
      clusterId: cluster.id,
      concerned: members.map(({ userId }) => userId),
    })
  }
}

const membersOf = statement<{ userId: number }>(
  'members_concerned',
  'select user_id as "userId" from memberships where organization_id = $1',
)
