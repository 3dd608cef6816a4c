import type { ClusterState, UnreadableCluster } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ClusterSummaries, ClusterSummary } from '../connection/ports.ts'
import type { Freshness } from '../watch/cluster-cache.ts'

/** How long one cluster may take to answer before the others are shown without it. */
export const clusterTimeoutMs = 3_000
/** How long the whole list of a cluster is waited for before what has been read of it is shown. */
export const patienceMs = 1_000
/** Clusters that one list goes through. */
const maxClusters = 100

export type EachCluster<T> = {
  read: { cluster: ClusterSummary; found: T }[]
  clusters: ClusterState[]
  unreadable: UnreadableCluster[]
}

/**
 * Reads the same of every running cluster of an organization, or of one of them, at the same time. What cannot be read
 * of one is shown beside the rest.
 */
export async function readEachCluster<T extends Freshness>(
  summaries: ClusterSummaries,
  { organizationId, clusterId }: { organizationId: number; clusterId?: number | undefined },
  read: (cluster: ClusterSummary) => Promise<T>,
): Promise<EachCluster<T>> {
  const all = await summaries.listRunning(organizationId, maxClusters)
  const wanted = clusterId === undefined ? all : all.filter(({ id }) => id === clusterId)
  const result: EachCluster<T> = { read: [], clusters: [], unreadable: [] }
  const answers = await Promise.allSettled(wanted.map(read))
  for (const [index, answer] of answers.entries()) {
    const cluster = wanted[index]
    if (!cluster) continue
    const { id, title } = cluster
    if (answer.status === 'fulfilled') {
      const { asOf, isLive, noAnswerSince } = answer.value
      result.read.push({ cluster, found: answer.value })
      result.clusters.push({ id, title, asOf, isLive, noAnswerSince })
    } else {
      const { reason } = answer
      if (!(reason instanceof AppError)) throw reason
      result.unreadable.push({ id, title, reason: reason.message })
    }
  }
  return result
}

/** Reads the same of every running cluster, and says how current it all is; each cluster has `clusterTimeoutMs`. */
export function everyClusterReader(summaries: ClusterSummaries, clock: Clock) {
  return async <T extends Freshness>(
    scope: { organizationId: number; clusterId?: number | undefined },
    read: (cluster: ClusterSummary, timeoutMs: number) => Promise<T>,
  ): Promise<EachCluster<T> & Freshness> => {
    const all = await readEachCluster(summaries, scope, (cluster) => read(cluster, clusterTimeoutMs))
    return { ...all, ...freshnessOf(all.clusters, clock.now()) }
  }
}

/** The oldest of the clusters' answers, and whether all of them are current. */
export function freshnessOf(clusters: readonly ClusterState[], now: Date): Freshness {
  const oldest = clusters.map(({ asOf }) => asOf).toSorted()[0]
  const silences = clusters.flatMap(({ noAnswerSince }) => noAnswerSince ?? [])
  return {
    asOf: oldest ?? now.toISOString(),
    isLive: clusters.every(({ isLive }) => isLive),
    noAnswerSince: silences.toSorted()[0] ?? null,
  }
}
