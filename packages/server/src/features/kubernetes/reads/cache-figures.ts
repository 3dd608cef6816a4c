import type { CallOutput, ClusterCaches } from '@bey/contract'
import { clusterQuotas } from '@bey/contract'
import type { ClusterSummaries } from '../connection/ports.ts'
import type { Entry } from '../watch/entries.ts'
import type { Table } from '../watch/table.ts'
import { idleMs, type WatchCache } from '../watch/watch-cache.ts'

const maxClusters = 100
const maxKinds = 300
const sampled = 64

/** What this process keeps of the clusters of an organization, what that costs, and who it is kept for. */
export function createCacheFigures(deps: {
  clusters: ClusterSummaries
  cache: Pick<WatchCache, 'kept'>
  openStreams: (clusterId: number) => number
}) {
  const { clusters: summaries, cache, openStreams } = deps
  return async (organizationId: number): Promise<CallOutput<'kubernetes.caches'>> => {
    const [running, counts] = await Promise.all([
      summaries.listRunning(organizationId, maxClusters),
      summaries.countByProvider(organizationId),
    ])
    const clusters = running.map(({ id, title }): ClusterCaches => {
      const kinds = cache.kept(id).map((each) => ({
        name: each.key,
        rows: each.table.size(),
        bytes: bytesOf(each.table),
        readers: each.readers,
        startedAt: each.startedAt.toISOString(),
        lastReadAt: each.lastReadAt.toISOString(),
        isLive: each.isLive,
        asOf: each.asOf.toISOString(),
        failure: each.failure?.reason ?? null,
      }))
      const largest = kinds.toSorted((a, b) => b.bytes - a.bytes || a.name.localeCompare(b.name))
      return { id, title, openStreams: openStreams(id), kinds: largest.slice(0, maxKinds) }
    })
    const kinds = clusters.flatMap((cluster) => cluster.kinds)
    return {
      clusters,
      rows: kinds.reduce((sum, { rows }) => sum + rows, 0),
      bytes: kinds.reduce((sum, { bytes }) => sum + bytes, 0),
      watches: kinds.length,
      idleMs,
      quotas: {
        sandboxes: { used: counts.sandbox ?? 0, most: clusterQuotas.sandbox },
        imported: { used: counts.kubeconfig ?? 0, most: clusterQuotas.kubeconfig },
      },
    }
  }
}

/** As JSON: of the first rows, and what the others take if they are like them. */
function bytesOf(table: Table<Entry>): number {
  let counted = 0
  let bytes = 0
  for (const entry of table.values()) {
    bytes += JSON.stringify(entry).length
    counted += 1
    if (counted === sampled) break
  }
  return counted === 0 ? 0 : Math.round((bytes / counted) * table.size())
}
