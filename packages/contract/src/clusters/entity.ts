import type { Cluster } from './endpoints.ts'
import type { HealthState } from '../base/health.ts'
import { healthMoveAfterMs } from '../base/health.ts'
import type { ClusterStatus } from '../base/statuses.ts'
import { entity, joined } from '../base/entity.ts'
import type { StatusTone } from '../base/entity.ts'

export type ClusterEvents = {
  /** A step of provisioning or deletion moved. `status` is PROVISIONING, COMPLETED, FAILED, UPDATING or DELETED. */
  CLUSTER_PROVISIONING_UPDATE: {
    clusterId: number
    status: string
    error: string | null
    workflowId: string
    runId: string
    stepName: string | null
    progress: number
  }
  /** The first page of the organization's clusters, newest first, as its list endpoint answers it. */
  CLUSTERS_UPDATE: { clusters: Cluster[]; total: number; totalIsExact?: boolean }
  /**
   * Objects of these kinds changed in a cluster, or its watch was lost or came back. `objects` names them by kind as
   * `namespace/name`, where they are few; a kind that is missing there may have changed altogether.
   */
  CLUSTER_RESOURCE_UPDATE: {
    clusterId: number
    kinds: string[]
    objects: Record<string, string[]>
    isLive: boolean
  }
  METRICS_STREAMING_STARTED: { clusterId: number }
  METRICS_STREAMING_STOPPED: { clusterId: number }
  METRICS_STREAMING_ERROR: { clusterId: number; error: string }
  CLUSTER_METRICS_UPDATE: {
    clusterId: number
    nodes: { name: string; cpuMillicores: number; memoryBytes: number }[]
    at: string
  }
}

/** The data of a message about a cluster whose health changed. */
export type HealthMessage = {
  clusterId: number
  health: HealthState
  reason: string | null
  detail: string | null
  since: string | null
  /** The object at fault. */
  object: { kind: string; namespace: string; name: string } | null
}

const healthSample = (health: HealthState, reason: string | null, detail: string | null) =>
  ({
    clusterId: 4,
    health,
    reason,
    detail,
    since: '2026-11-22T10:00:00.000Z',
    object: reason === null ? null : { kind: 'Deployment', namespace: 'shop', name: 'checkout' },
  }) satisfies HealthMessage

const ofMetrics = { audience: { followersOf: ['cluster_metrics'] }, permission: 'kubernetes.read' } as const

export const clusterEntity = entity({
  idKind: 'number',
  singular: 'cluster',
  plural: 'clusters',
  icon: 'boxes',
  paths: {
    list: '/kubernetes/clusters',
    detail: '/kubernetes/clusters/{id}',
    create: '/kubernetes/clusters/create',
    tabs: [
      'nodes',
      'workloads',
      'pods',
      'services',
      'storage',
      'config',
      'events',
      'changes',
      'activity',
      'custom',
      'access',
      'runs',
      'connection',
      'settings',
      'faults',
    ],
  },
  readPermission: 'clusters.read',
  statuses: {
    PENDING: 'quiet',
    CREATING: 'busy',
    RUNNING: 'ok',
    UPDATING: 'busy',
    ERROR: 'danger',
    DELETED: 'quiet',
    COMPLETED: 'quiet',
    FAILED: 'danger',
  } satisfies Record<ClusterStatus, StatusTone>,
  label: (row: { title: string }) => row.title,
  subtitle: (row: { version: string | null; nodeCount: number | null; region: string | null }) =>
    joined([
      row.version,
      row.nodeCount === null ? null : `${row.nodeCount} ${row.nodeCount === 1 ? 'node' : 'nodes'}`,
      row.region,
    ]),
  events: {
    CLUSTER_PROVISIONING_UPDATE: {
      audience: 'organization',
      webhook: {
        name: 'cluster.provisioning',
        about: 'A step of the creation or deletion of a cluster began, ended or failed.',
        sample: {
          clusterId: 4,
          status: 'COMPLETED',
          error: null,
          workflowId: '019a0000-0000-7000-8000-000000000001',
          runId: '019a0000-0000-7000-8000-000000000002',
          stepName: 'Verify',
          progress: 100,
        } satisfies ClusterEvents['CLUSTER_PROVISIONING_UPDATE'],
        statuses: ['PROVISIONING', 'COMPLETED', 'FAILED', 'UPDATING', 'DELETED'],
      },
    },
    CLUSTERS_UPDATE: { audience: 'organization', isExpanded: true },
    CLUSTER_RESOURCE_UPDATE: {
      audience: { followersOf: ['cluster_resources'] },
      permission: 'kubernetes.read',
    },
    METRICS_STREAMING_STARTED: ofMetrics,
    METRICS_STREAMING_STOPPED: ofMetrics,
    METRICS_STREAMING_ERROR: ofMetrics,
    CLUSTER_METRICS_UPDATE: ofMetrics,
  },
  subscriptions: {
    cluster: { idField: 'clusterId', label: 'provisioning' },
    cluster_metrics: { idField: 'clusterId', label: 'metrics', permission: 'kubernetes.read' },
    cluster_resources: { idField: 'clusterId', label: 'resources', permission: 'kubernetes.read' },
  },
  messages: [
    {
      name: 'health.failing',
      about: `A cluster has been failing, or could not be read, for ${healthMoveAfterMs / 1_000} s. Names the object at fault.`,
      sample: healthSample('failing', 'CrashLoopBackOff', 'The container "app" ends right after its start.'),
      statuses: ['failing', 'unknown'],
    },
    {
      name: 'health.recovered',
      about: `A cluster that failed has not failed for ${healthMoveAfterMs / 1_000} s.`,
      sample: healthSample('healthy', null, null),
      statuses: ['healthy', 'degraded', 'starting'],
    },
  ],
  palette: {
    group: 'Clusters',
    category: 'Kubernetes Cluster',
    key: 'c',
    suggest: { failing: { priority: 9, count: 2 }, any: { priority: 7, count: 3 } },
  },
})
