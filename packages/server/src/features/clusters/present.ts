import type { Cluster } from '@bey/contract'

import type { ClusterRow } from './store.ts'

export function presentCluster(row: ClusterRow): Cluster {
  const nodeCount = row.nodeGroups.reduce((sum, group) => sum + group.count, 0)
  const version = row.version ?? ''
  return {
    id: row.id,
    organization_id: row.organizationId,
    title: row.title,
    name: row.title,
    status: row.status,
    pending_operations: row.pendingOperations,
    provider: row.provider,
    region: row.region ?? '',
    version,
    nodeGroups: row.nodeGroups,
    metadata: { version, nodeCount, created: row.createdAt.toISOString() },
    error: row.error,
    reachability: {
      state: row.reachability,
      since: row.reachabilitySince?.toISOString() ?? null,
      reason: row.reachabilityReason,
    },
    lastRun:
      row.lastRunId === null || row.lastWorkflowId === null
        ? null
        : { workflowId: row.lastWorkflowId, runId: row.lastRunId },
    createdBy:
      row.createdBy === null
        ? { type: 'system', id: '', name: 'Bey' }
        : { type: 'user', id: String(row.createdBy), name: row.createdByName ?? 'Former member' },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
