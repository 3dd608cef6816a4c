import type { Relation } from '@bey/contract'
import type { RelationSource } from '../../platform/inventory.ts'
import type { everyClusterReader } from './reads/each-cluster.ts'
import { clusterRelations, relationKinds } from './cluster-relations.ts'
import type { ClusterCache } from './watch/cluster-cache.ts'
import type { WatchCache } from './watch/watch-cache.ts'

type Kept = { version: number; relations: readonly Relation[] }

/**
 * How objects of running clusters relate, from the watch caches. They are derived again only after a change. A cluster
 * that does not answer has the relations that it had before, and is a gap; kinds that may not be read are gaps as well.
 */
export function kubernetesRelations({
  cache,
  readEachCluster,
}: {
  cache: Pick<WatchCache, 'read'>
  readEachCluster: ReturnType<typeof everyClusterReader>
}): RelationSource {
  const known = new WeakMap<ClusterCache, Kept>()

  function relationsOf(cached: ClusterCache): readonly Relation[] {
    const version = cached.version(relationKinds)
    const kept = known.get(cached)
    if (kept?.version === version) return kept.relations
    const relations = clusterRelations(cached)
    known.set(cached, { version, relations })
    return relations
  }

  return {
    async list({ organizationId }) {
      const all = await readEachCluster({ organizationId }, async (cluster, timeoutMs) => {
        const cached = await cache.read(cluster, relationKinds, timeoutMs)
        return {
          relations: relationsOf(cached),
          refused: cached.failures(relationKinds).filter(({ isRefused }) => isRefused),
          ...cached.freshness(relationKinds),
        }
      })
      return {
        relations: all.read.flatMap(({ found }) => found.relations),
        gaps: [
          ...all.read.flatMap(({ cluster, found }) =>
            found.refused.map(({ reason }) => ({ source: cluster.title, reason, since: null })),
          ),
          ...all.clusters.flatMap(({ title, noAnswerSince }) =>
            noAnswerSince === null
              ? []
              : [{ source: title, reason: 'The cluster does not answer.', since: noAnswerSince }],
          ),
          ...all.unreadable.map(({ title, reason }) => ({ source: title, reason, since: null })),
        ],
      }
    },
  }
}
