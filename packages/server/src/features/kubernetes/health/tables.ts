import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { NamespaceEntry, NodeEntry, PodEntry } from '../watch/entries.ts'
import type { ClaimVolume } from './claim-health.ts'
import type { ClaimEntry, CronJobEntry, JobEntry, ReplicaEntry } from '../watch/workload-entries.ts'

/** What a cluster holds, as far as its health depends on it. */
export type HealthTables = {
  nodes: readonly NodeEntry[]
  namespaces: readonly NamespaceEntry[]
  pods: readonly PodEntry[]
  deployments: readonly ReplicaEntry[]
  statefulsets: readonly ReplicaEntry[]
  daemonsets: readonly ReplicaEntry[]
  replicasets: readonly ReplicaEntry[]
  jobs: readonly JobEntry[]
  cronjobs: readonly CronJobEntry[]
  claims: readonly ClaimEntry[]
  /** What the volumes of claims hold, by `namespace/name`, as far as it was measured. */
  volumes?: ReadonlyMap<string, ClaimVolume> | undefined
}

export function tablesOf(cache: ClusterCache): HealthTables {
  return {
    nodes: [...cache.table('nodes').values()],
    namespaces: [...cache.table('namespaces').values()],
    pods: [...cache.table('pods').values()],
    deployments: [...cache.table('deployments').values()],
    statefulsets: [...cache.table('statefulsets').values()],
    daemonsets: [...cache.table('daemonsets').values()],
    replicasets: [...cache.table('replicasets').values()],
    jobs: [...cache.table('jobs').values()],
    cronjobs: [...cache.table('cronjobs').values()],
    claims: [...cache.table('claims').values()],
  }
}
