import { presentActor } from '../../platform/present-actor.ts'
import type { Cluster } from '@bey/contract'
import { healthOfCluster } from '@bey/contract'

import type { ClusterListRow } from './list.ts'
import type { ClusterRow } from './store.ts'

export function presentCluster(row: ClusterRow | ClusterListRow): Cluster {
  const nodeCount = row.nodeGroups.reduce((sum, group) => sum + group.count, 0)
  const version = row.version ?? ''
  const createdAt = rfc3339(row.createdAt)
  const reachability = {
    state: row.reachability,
    since: row.reachabilitySince === null ? null : rfc3339(row.reachabilitySince),
    reason: row.reachabilityReason,
  }
  return {
    id: row.id,
    organization_id: row.organizationId,
    title: row.title,
    name: row.title,
    description: row.description,
    labels: row.labels,
    status: row.status,
    pending_operations: row.pendingOperations,
    provider: row.provider,
    region: row.region ?? '',
    version,
    nodeGroups: row.nodeGroups,
    metadata: { version, nodeCount, created: createdAt },
    error: row.error,
    reachability,
    replacedAt: row.replacedAt === null ? null : rfc3339(row.replacedAt),
    isVerified: row.isVerified,
    health: healthOfCluster({ status: row.status, error: row.error, reachability, observed: row.observed }),
    lastRestart:
      row.restartedAt === null
        ? null
        : { at: rfc3339(row.restartedAt), reason: row.restartReason ?? 'Its process ended.' },
    lastRun:
      row.lastRunId === null || row.lastWorkflowId === null
        ? null
        : { workflowId: row.lastWorkflowId, runId: row.lastRunId },
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt,
    updatedAt: rfc3339(row.updatedAt),
  }
}

/** A time as it crosses the wire. PostgreSQL's text (`2026-11-21 06:39:47.07+00`, sessions are in UTC) is only rearranged. */
function rfc3339(time: Date | string): string {
  if (typeof time !== 'string') return time.toISOString()
  const fraction = time.slice(20, -3)
  return `${time.slice(0, 10)}T${time.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}
