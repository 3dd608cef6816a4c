import type { ClusterSummaries, ClusterSummary } from '../connection/ports.ts'
import type { Assessor, ClusterAssessment } from '../health/assessor.ts'
import type { VolumeUsage } from '../volumes/volume-usage.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { KindName } from '../watch/kinds.ts'
import type { WatchCache } from '../watch/watch-cache.ts'

export type ClusterRef = Pick<ClusterSummary, 'id' | 'organizationId' | 'title'>

/** A cluster, always by the organization that asks. */
export type ClusterOf = { organizationId: number; clusterId: number }

export type ClusterReading = ReturnType<typeof createClusterReading>

/** Reads kinds of a cluster together with the health of everything in it, as far as it can be looked at. */
export function createClusterReading(deps: {
  clusters: Pick<ClusterSummaries, 'getRunning'>
  cache: WatchCache
  volumes: VolumeUsage
  assessor: Assessor
}) {
  const { clusters, cache, volumes, assessor } = deps

  async function assessWhole(cluster: ClusterRef, cached: ClusterCache): Promise<ClusterAssessment> {
    const assessment = await assessor.settled(cached)
    // For the next reader: a page does not wait for nodes that say how full their volumes are.
    void volumes.read(cluster, cached)
    return assessment
  }

  return {
    /** Throws AppError `not_found`, and `conflict` while the cluster is not running. */
    running: ({ organizationId, clusterId }: ClusterOf): Promise<ClusterSummary> =>
      clusters.getRunning(organizationId, clusterId),

    /** Once `kinds`, which a page cannot do without, are listed. Throws as `WatchCache.read`. */
    async read(cluster: ClusterRef, kinds: readonly KindName[], timeoutMs?: number) {
      const cached = await cache.read(cluster, kinds, timeoutMs)
      return { cached, assessment: await assessWhole(cluster, cached) }
    },

    /** The same of what has been read so far, where the first list of a kind takes longer than `patienceMs`. */
    async readPart(cluster: ClusterRef, kinds: readonly KindName[], patienceMs: number) {
      const cached = await cache.readPart(cluster, kinds, patienceMs)
      const assessment = await (cached.isPartial(kinds)
        ? assessor.soFar(cached)
        : assessWhole(cluster, cached))
      // More may have been read meanwhile, and the rest as well.
      const isPartial = cached.isPartial(kinds)
      return { cached, assessment, isPartial, state: { isPartial, ...cached.freshness(kinds) } }
    },
  }
}
