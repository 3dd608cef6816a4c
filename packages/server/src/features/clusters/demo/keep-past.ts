import { clusterMetrics } from '@bey/contract/metrics/names'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { PastSeries } from '../../../platform/metrics/backfill.ts'
import type { ClusterProvider, PastRecord, ProviderCluster } from '../provider.ts'
import { demoClusters, failingPodsAt, scalingsOf } from './pasts.ts'

/** Writes where it belongs what a cluster of a demo recorded of its past. */
export type KeepPast = (
  db: Db,
  of: { organizationId: number; clusterId: number },
  past: { versions: PastRecord['versions']; momentsMs: readonly number[]; series: readonly PastSeries[] },
) => Promise<void>

/** Takes over the past of a cluster once; asked again, does nothing. */
export async function keepPastOf(
  { database, provider, keep }: { database: Database; provider: ClusterProvider; keep: KeepPast },
  cluster: ProviderCluster,
): Promise<void> {
  if (cluster.placement === null) return
  const past = await provider.readPast?.(cluster.placement)
  if (past === undefined) return
  const { organizationId, id: clusterId } = cluster
  await database.withTenant(organizationId, (db) =>
    keep(
      db,
      { organizationId, clusterId },
      { versions: past.versions, momentsMs: past.usage.momentsMs, series: seriesOf(past, cluster) },
    ),
  )
  // Committed: a crash before this repeats what changes nothing.
  await provider.forgetPast?.(cluster.placement)
}

function seriesOf(
  { versions, usage: { momentsMs, series, pods, nodes } }: PastRecord,
  cluster: Pick<ProviderCluster, 'title' | 'nodeGroups'>,
): PastSeries[] {
  const always = (value: number) => momentsMs.map(() => value)
  const failing = failingPodsAt(cluster.title, versions, momentsMs)
  const moreNodes = moreNodesAt(cluster, momentsMs)
  const group = cluster.nodeGroups.at(-1)
  const whole: PastSeries[] = [
    { metric: clusterMetrics.pods, values: always(pods) },
    { metric: clusterMetrics.podsByPhase, labels: { phase: 'Running' }, values: always(pods) },
    { metric: clusterMetrics.nodes, values: moreNodes.map((more) => nodes + more) },
    {
      metric: clusterMetrics.podsByHealth,
      labels: { health: 'healthy' },
      values: failing.map((count) => pods - count),
    },
    { metric: clusterMetrics.podsByHealth, labels: { health: 'failing' }, values: failing },
    { metric: clusterMetrics.podsNotReady, values: failing },
    // At most every five minutes, as often as a kubelet tries again what keeps crashing.
    { metric: clusterMetrics.restarts, values: failing.map((count) => count / 5) },
    ...['degraded', 'starting', 'unknown'].map((health) => ({
      metric: clusterMetrics.podsByHealth,
      labels: { health },
      values: always(0),
    })),
  ]
  const parts = series.flatMap(({ labels: given, requested, allocatable, cpu, memory }): PastSeries[] => {
    const isPart = Object.keys(given).length > 0
    const named = isPart ? { labels: given } : {}
    const roomOf = (now: number, perNode: number) =>
      isPart ? always(now) : moreNodes.map((more) => now + more * perNode)
    return [
      { ...named, metric: clusterMetrics.cpuUsed, values: cpu },
      { ...named, metric: clusterMetrics.memoryUsed, values: memory },
      { ...named, metric: clusterMetrics.cpuRequested, values: always(requested[0]) },
      { ...named, metric: clusterMetrics.memoryRequested, values: always(requested[1]) },
      ...(allocatable
        ? [
            {
              ...named,
              metric: clusterMetrics.cpuAllocatable,
              values: roomOf(allocatable[0], (group?.cpuCores ?? 0) * 1_000),
            },
            {
              ...named,
              metric: clusterMetrics.memoryAllocatable,
              values: roomOf(allocatable[1], group?.memoryBytes ?? 0),
            },
          ]
        : []),
    ]
  })
  return [...whole, ...parts]
}

/** How many nodes more than now a cluster had at each moment: those of its load test are gone. */
function moreNodesAt({ title }: Pick<ProviderCluster, 'title'>, momentsMs: readonly number[]): number[] {
  const mood = demoClusters.find((plan) => plan.title === title)?.mood
  const scalings = mood === undefined ? [] : scalingsOf(mood, new Date(momentsMs.at(-1) ?? 0))
  return momentsMs.map((atMs) =>
    scalings.reduce((more, { at, from, to }) => (at.getTime() > atMs ? more + from - to : more), 0),
  )
}
