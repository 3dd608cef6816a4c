import type { Cluster, LiveEvents } from '@bey/contract'

/** The organization to which the clusters of tests belong. */
export const givenOrganizationId = 3

/** A cluster for tests that is being created, save what `part` says. */
export function givenCluster(id: number, part: Partial<Cluster> = {}): Cluster {
  return {
    id,
    organization_id: givenOrganizationId,
    title: `cluster-${id}`,
    name: `cluster-${id}`,
    description: '',
    labels: {},
    status: 'CREATING',
    pending_operations: 1,
    provider: 'sandbox',
    region: 'local',
    version: '1.33.1',
    nodeGroups: [],
    metadata: { version: '1.33.1', nodeCount: 3, created: '2026-11-21T06:00:00.000Z' },
    error: null,
    reachability: { state: 'unknown', since: null, reason: null },
    isVerified: true,
    replacedAt: null,
    lastRestart: null,
    health: { state: 'starting', reason: 'creating', detail: null, since: null, object: null },
    lastRun: null,
    createdBy: { type: 'user', id: '1', name: 'Ada', email: 'ada@example.com' },
    createdAt: '2026-11-21T06:00:00.000Z',
    updatedAt: '2026-11-21T06:00:00.000Z',
    ...part,
  }
}

type Update = LiveEvents['CLUSTER_PROVISIONING_UPDATE']

/** A live update of cluster 1 for tests, save what `part` says. */
export function givenUpdate(status: string, part: Partial<Update> = {}): Update {
  return {
    clusterId: 1,
    status,
    error: null,
    workflowId: 'w',
    runId: 'r',
    stepName: null,
    progress: 50,
    ...part,
  }
}
