import type { Clock } from '../../../platform/clock.ts'
import type { Entry } from './entries.ts'
import type { KindCache } from './kind-cache.ts'
import type { PrintedColumn } from './list-format.ts'
import type { Table } from './table.ts'

/** One kind, or the rows of one resource, as they are kept. */
export type KeptTable = {
  /** The name of a kind, or what `rowsKey` calls the rows of a resource. */
  key: string
  /** The resource where its rows are kept; undefined for a kind. */
  resource: string | undefined
  /** Of rows. */
  columns: PrintedColumn[]
  table: Table<Entry>
  startedAt: Date
  lastReadAt: Date
  isLive: boolean
  asOf: Date
  failure: { reason: string; isRefused: boolean } | undefined
}

type Kept = { cache: KindCache<Entry>; usedAtMs: number; startedAt: Date; readAt: Date; announced: string }

const notServed = { reason: 'the cluster does not serve it', isRefused: false }

/**
 * What is kept of one cluster, by kind; resources that are kept as rows under a name of their own, for some are kept as a
 * kind, too. Knows when each was read last, and how often each changed.
 */
export function createKeptTables(clock: Clock) {
  const all = new Map<string, Kept>()
  const columns = new Map<string, PrintedColumn[]>()
  const changes = new Map<string, number>()

  return {
    /** What is kept under a key, without reading it. */
    find: (key: string): KindCache<Entry> | undefined => all.get(key)?.cache,
    /** What is kept under a key, read at this moment; made by `start` where it is not kept yet. */
    read(key: string, announced: string, start: () => KindCache<Entry>): KindCache<Entry> {
      const found = all.get(key)
      if (found) {
        found.usedAtMs = clock.monotonicMs()
        found.readAt = clock.now()
        return found.cache
      }
      const cache = start()
      const [usedAtMs, now] = [clock.monotonicMs(), clock.now()]
      all.set(key, { cache, usedAtMs, startedAt: now, readAt: now, announced })
      return cache
    },
    setColumns: (key: string, found: PrintedColumn[]) => void columns.set(key, found),
    columns: (key: string): readonly PrintedColumn[] => columns.get(key) ?? [],
    countChange: (key: string) => void changes.set(key, (changes.get(key) ?? 0) + 1),
    changes: (key: string): number => changes.get(key) ?? 0,
    /** Whether everything that may be read is current. */
    isLive: () =>
      [...all.values()].every(({ cache }) => cache.isLive() || cache.failure()?.isRefused === true),
    keys: () => [...all.keys()],
    list(): KeptTable[] {
      return [...all].map(([key, { cache, startedAt, readAt, announced }]) => ({
        key,
        resource: key === announced ? undefined : announced,
        columns: columns.get(key) ?? [],
        table: cache.table,
        startedAt,
        lastReadAt: readAt,
        // Nothing is kept of what is not served: an empty list would be found in its place.
        isLive: cache.isLive() && !cache.isMissing(),
        asOf: cache.asOf(),
        failure: cache.isMissing() ? notServed : cache.isLive() ? undefined : cache.failure(),
      }))
    },
    /** Counts everything as read at this moment. */
    touch(): void {
      for (const each of all.values()) each.usedAtMs = clock.monotonicMs()
    },
    /** Stops what nobody has read since. True when nothing is left. */
    stopUnread(sinceMs: number): boolean {
      for (const [key, { cache, usedAtMs }] of all) {
        if (usedAtMs > sinceMs) continue
        all.delete(key)
        cache.stop()
      }
      return all.size === 0
    },
    stop(): void {
      for (const { cache } of all.values()) cache.stop()
      all.clear()
    },
  }
}
