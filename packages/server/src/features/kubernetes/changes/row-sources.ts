import type { NodeEntry } from '../watch/entries.ts'
import type { RowEntry } from '../watch/row-entry.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { RecordedResource } from './recorded-resources.ts'

export type ObservedCluster = { id: number; organizationId: number; title: string }

/** An object as it is watched; `version` is another one after everything that is recorded. */
export type WatchedRow = Pick<RowEntry, 'uid' | 'name' | 'namespace' | 'createdAt' | 'version'>

/** What is watched of one resource. */
export type RowSource = {
  resource: RecordedResource
  /** Changes of this time are read together. */
  gatherMs: number
  maxObjects: number
  read(): Promise<{ rows: WatchedRow[]; isLive: boolean }>
}

/** The rows that lists show as well. */
export function listedRows(
  cluster: ObservedCluster,
  resource: RecordedResource,
  cache: WatchCache,
  bounds: Pick<RowSource, 'gatherMs' | 'maxObjects'>,
): RowSource {
  return {
    resource,
    ...bounds,
    async read() {
      const { table, isLive } = await cache.readRows(cluster, resource)
      return { rows: [...table.values()], isLive }
    },
  }
}

/** Nodes by what health is derived from: their rows would change with every report of a kubelet. */
export function writtenNodes(
  cluster: ObservedCluster,
  resource: RecordedResource,
  cache: WatchCache,
  bounds: Pick<RowSource, 'gatherMs' | 'maxObjects'>,
): RowSource {
  const row = ({ written, ...node }: NodeEntry): WatchedRow => ({ ...node, version: written })
  return {
    resource,
    ...bounds,
    async read() {
      const cached = await cache.read(cluster, ['nodes'])
      return {
        rows: [...cached.table('nodes').values()].map(row),
        isLive: cached.freshness(['nodes']).isLive,
      }
    },
  }
}
