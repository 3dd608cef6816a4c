import type { Health } from '@bey/contract'
import { redactText } from '@bey/contract/base/redact-text'

import type { Db } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/prepared.ts'
import type { Notify } from './rules/notify.ts'

/** Something that began to fail, cannot be read, or has recovered, for so long that it is news. */
type HealthMove = {
  organizationId: number
  subject: { type: 'cluster' | 'database' | 'network'; id: string; name: string }
  /** A path of the console. */
  href: string
  clusterId?: number
  to: 'trouble' | 'recovery'
  health: Health
}

/** Notifies every member of the organization when a cluster, database or network starts to fail, cannot be read, or has recovered. */
export function healthNotices(notify: Notify) {
  return async (
    db: Db,
    { organizationId, subject, href, clusterId, to, health }: HealthMove,
  ): Promise<void> => {
    const isTrouble = to === 'trouble'
    const members = await membersOf(db, [organizationId])
    await notify(db, {
      organizationId,
      kind: 'health',
      event: isTrouble ? 'health.failing' : 'health.recovered',
      level: isTrouble ? 'error' : 'success',
      title: `${subject.name} ${isTrouble ? troubleText(health) : 'has recovered'}`,
      detail: isTrouble && health.detail ? redactText(health.detail) : null,
      href,
      subject,
      clusterId,
      concerned: members.map(({ userId }) => userId),
    })
  }
}

export type NoticeHealth = ReturnType<typeof healthNotices>

type ClusterMove = {
  cluster: { id: number; organizationId: number; title: string }
  to: HealthMove['to']
  health: Health
}

/** The move of a cluster as one to be notified of. */
export function moveOfCluster({
  cluster: { id, organizationId, title },
  to,
  health,
}: ClusterMove): HealthMove {
  return {
    organizationId,
    subject: { type: 'cluster', id: String(id), name: title },
    href: `/kubernetes/clusters/${id}`,
    clusterId: id,
    to,
    health,
  }
}

function troubleText({ state, reason }: Health): string {
  if (state === 'unknown') return 'cannot be checked'
  return (reason !== null && troubleTexts[reason]) || 'is failing'
}

const troubleTexts: Readonly<Record<string, string>> = {
  Unreachable: 'does not answer',
  BackupFailed: 'could not be backed up',
  BackupOverdue: 'was not backed up as scheduled',
  DrillFailed: 'failed its restore drill',
  NearlyFull: 'is nearly full',
  QuotaFull: 'is full and refuses to write',
  NotAsHeld: 'is not as it is held in Bey',
}

const membersOf = statement<{ userId: number }>(
  'members_concerned',
  'select user_id as "userId" from memberships where organization_id = $1',
)
