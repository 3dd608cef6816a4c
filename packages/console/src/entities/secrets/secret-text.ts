import type { Secret, SecretAccess } from '@bey/contract'
import { secretLimits } from '@bey/contract'

const dayMs = 86_400_000

export function secretHref(id: string, tab?: string): string {
  return tab === undefined ? `/secrets/${id}` : `/secrets/${id}?tab=${tab}`
}

/** What a row or head shows of a secret: its status, or that its time runs out. */
export function secretCondition(secret: Pick<Secret, 'status' | 'expiresAt'>, nowMs: number): string {
  if (secret.status !== 'active' || secret.expiresAt === null) return secret.status
  const leftMs = Date.parse(secret.expiresAt) - nowMs
  if (leftMs <= 0) return 'lapsed'
  return leftMs <= secretLimits.expiringDays * dayMs ? 'expiring' : secret.status
}

export const accessLabels: Record<SecretAccess, string> = {
  use: 'Use',
  read: 'Read',
  manage: 'Manage',
}

export const accessHints: Record<SecretAccess, string> = {
  use: 'Workflows may resolve it; nobody sees the value.',
  read: 'May reveal and copy the value, each time with a reason.',
  manage: 'May read it, change who has access, and destroy versions.',
}

/** How `{{ … }}` names it in a step of a workflow. */
export function secretReference(name: string): string {
  return `{{ secrets.${name} }}`
}

const actionLabels: Readonly<Record<string, string>> = {
  'secret.create': 'Created',
  'secret.update': 'Changed',
  'secret.delete': 'Deleted',
  'secret.restore': 'Restored',
  'secret.reveal': 'Value read',
  'secret.rollback': 'Rolled back',
  'secret.version.delete': 'Version deleted',
  'secret.version.undelete': 'Version undeleted',
  'secret.version.destroy': 'Version destroyed',
  'secret.grants.update': 'Access changed',
  'secret.export': 'Value exported to a file',
  'secret.rotate': 'Rotated',
  'secret.share': 'Shared by link',
  'secret.share.open': 'Link opened',
  'secret.share.revoke': 'Link revoked',
  'secret.purge': 'Destroyed',
  'secret.sync.create': 'Kept in a cluster from then on',
  'secret.sync.update': 'Copy in a cluster changed',
  'secret.sync.write': 'Written to a cluster',
  'secret.sync.correct': 'Put right in a cluster',
  'secret.sync.drift': 'Found changed in a cluster',
  'secret.sync.put_right': 'Asked to put right in a cluster',
  'secret.sync.accept': 'Change in a cluster accepted',
  'secret.sync.take_over': 'Secret in a cluster taken over',
  'secret.sync.retry': 'Asked to look at a cluster',
  'secret.sync.restart': 'Workloads restarted',
  'secret.sync.end': 'No longer kept in a cluster',
  'secret.sync.remove': 'Copy in a cluster removed',
}

/** What an action of the audit trail did. */
export function activityLabel(action: string): string {
  return actionLabels[action] ?? action
}
