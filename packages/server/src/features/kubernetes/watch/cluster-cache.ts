import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Connect, LivePort, SetReachability } from '../connection/ports.ts'
import { createChangePublisher } from './change-publisher.ts'
import type { Entry } from './entries.ts'
import type { KindCache, KindSource, LastKnown, ObjectChange } from './kind-cache.ts'
import { NotListed, startKindCache } from './kind-cache.ts'
import type { Entries, KindName } from './kinds.ts'
import { kinds } from './kinds.ts'
import type { KubeClient } from './kube-client.ts'
import type { PrintedColumn } from './list-format.ts'
import { trackReachability } from './reachability.ts'
import type { RowEntry } from './row-entry.ts'
import type { ResourceRows, WatchedResource } from './resource-rows.ts'
import { resourceRows, rowsKey } from './resource-rows.ts'
import type { SharedWatch } from './shared-watch.ts'
import { createSharedWatch } from './shared-watch.ts'
import type { Table } from './table.ts'

export type ClusterCache = {
  clusterId: number
  /** A kind that was read; throws for one that was not asked for. */
  table<K extends KindName>(kind: K): Table<Entries[K]>
  /** Whether a kind is kept at the moment, so that `table` has it; asking does not start it. */
  holds(kind: KindName): boolean
  /** How current these kinds are together: the oldest of them. */
  freshness(of: readonly KindName[]): { asOf: string; isLive: boolean }
  /**
   * Starts what is not watched yet; resolves when each has its first list or is forbidden. Rejects where one has none for
   * another reason, or where all are forbidden.
   */
  use(of: readonly KindName[]): Promise<void>
  /** The same, but resolves already when the first page of each is there. */
  begin(of: readonly KindName[]): Promise<void>
  /** Whether there is no whole list yet of one of these kinds that is not forbidden. */
  isPartial(of: readonly KindName[]): boolean
  /** Whether the first list of one of these kinds is being read, and has not failed so far. */
  isBeingRead(of: readonly KindName[]): boolean
  /** Objects of a kind that the cluster says are still to be read of its first list. */
  remaining(kind: KindName): number
  /** Starts what is not watched yet; resolves when each has its first list or is known to have none. Never throws. */
  settle(of: readonly KindName[]): Promise<void>
  /** Which of these kinds are not known or not current, and why. */
  failures(of: readonly KindName[]): { kind: KindName; reason: string; isRefused: boolean }[]
  /** Grows with every change of these kinds. */
  version(of: readonly KindName[]): number
  /** Watches these kinds from now on, whether or not they can be read yet. */
  watch(of: readonly KindName[]): void
  /** Rows of any resource that the cluster serves; watched from now on. Resolves with the first list. */
  rows(resource: WatchedResource): Promise<ResourceRows>
  /** The same, but resolves already when the first page is there. */
  beginRows(resource: WatchedResource): Promise<ResourceRows>
  /** Everything that is kept of the cluster at the moment; asking does not count as reading. */
  kept(): KeptTable[]
  /** Stops what nobody has read since. True when nothing is left. */
  stopIdle(sinceMs: number): boolean
  stop(): void
}

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

type Options = {
  organizationId: number
  clusterId: number
  client: KubeClient
  connect: Connect
  setReachability: SetReachability
  live: Pick<LivePort, 'local' | 'objectChanged'>
  clock: Clock
  log: Log
  random: () => number
  /** Whether somebody hears of changes; what is followed is not stopped. */
  isFollowed: () => boolean
  /** Whether something in the server reads changes; what it needs is not stopped. */
  isNeeded: () => boolean
  /** Whether the server itself observes the cluster. */
  isObserved: () => boolean
  /** A kind, or the rows of a resource, changed or are no longer current. */
  onChange: (key: string, change?: ObjectChange) => void
  onGone: () => void
  /** A list under its key as it was kept before this process, for as long as there is none. */
  lastKnown: (key: string) => Promise<LastKnown | undefined>
}

export function startClusterCache(options: Options): ClusterCache {
  const { organizationId, clusterId, clock, log } = options
  /** By kind; resources that are kept as rows under a name of their own, for some are kept as a kind, too. */
  const watched = new Map<
    string,
    { cache: KindCache<Entry>; usedAtMs: number; startedAt: Date; readAt: Date; announced: string }
  >()
  /** By path: a resource that is kept as a kind and as rows is watched once. */
  const watches = new Map<string, SharedWatch>()
  const columns = new Map<string, PrintedColumn[]>()
  const changes = new Map<string, number>()
  const reach = trackReachability(options)
  const changed = createChangePublisher(options, isLive)

  function isLive(): boolean {
    return [...watched.values()].every(({ cache }) => cache.isLive() || cache.failure()?.isRefused === true)
  }

  function watchOf({ path, isNamespaced = false }: KindSource<Entry>): SharedWatch {
    const found = watches.get(path)
    if (found) return found
    const watch = createSharedWatch({
      path,
      isNamespaced,
      client: options.client,
      connect: () => options.connect(organizationId, clusterId),
      clock,
      random: options.random,
      onEmpty: () => watches.delete(path),
    })
    watches.set(path, watch)
    return watch
  }

  function start(key: string, source: KindSource<Entry>, announced: string): KindCache<Entry> {
    const found = watched.get(key)
    if (found) {
      found.usedAtMs = clock.monotonicMs()
      found.readAt = clock.now()
      return found.cache
    }
    const cache = startKindCache(source, {
      watch: watchOf(source),
      clock,
      onChange(change) {
        changes.set(key, (changes.get(key) ?? 0) + 1)
        changed.add(announced, change?.entry)
        options.onChange(key, change)
      },
      onLive: () => reach.reachable(),
      onLost(reason, { isGone, isRefused }) {
        log.debug({ clusterId, kind: announced, reason }, 'A watch was lost')
        if (isGone) options.onGone()
        // A cluster that forbids one kind can be reached.
        else if (isRefused) reach.reachable()
        else reach.lost(reason, isLive)
      },
      async lastKnown() {
        const found = await options.lastKnown(key)
        if (found) columns.set(key, found.columns)
        return found
      },
    })
    watched.set(key, {
      cache,
      usedAtMs: clock.monotonicMs(),
      startedAt: clock.now(),
      readAt: clock.now(),
      announced,
    })
    return cache
  }

  const startKind = (kind: KindName) => start(kind, kinds[kind], kind)

  async function readRows(
    resource: WatchedResource,
    until: (cache: KindCache<RowEntry>) => Promise<void>,
  ): Promise<ResourceRows> {
    const key = rowsKey(resource)
    const source = resourceRows(resource, (found) => columns.set(key, found))
    const cache = start(key, source, resource.name) as KindCache<RowEntry>
    await until(cache)
    return {
      table: cache.table,
      columns: columns.get(key) ?? [],
      asOf: cache.asOf().toISOString(),
      isLive: cache.isLive(),
      isPartial: cache.isPartial(),
      remaining: cache.remaining(),
    }
  }

  return {
    clusterId,
    table<K extends KindName>(kind: K): Table<Entries[K]> {
      const found = watched.get(kind)
      if (!found) throw new Error(`${kind} are not watched`)
      // The map cannot say that each kind holds its own entries; `start` puts nothing else there.
      return found.cache.table as unknown as Table<Entries[K]>
    },
    holds: (kind) => watched.has(kind),
    freshness(of) {
      // What the cluster forbids is no older for that.
      const caches = of.map(startKind).filter((cache) => cache.failure()?.isRefused !== true)
      if (caches.length === 0) return { asOf: clock.now().toISOString(), isLive: true }
      const asOf = Math.min(...caches.map((cache) => cache.asOf().getTime()))
      return { asOf: new Date(asOf).toISOString(), isLive: caches.every((cache) => cache.isLive()) }
    },
    use: (of) => untilAllowed(of.map((kind) => startKind(kind).ready())),
    begin: (of) => untilAllowed(of.map((kind) => startKind(kind).begun())),
    isPartial: (of) =>
      of.map(startKind).some((cache) => cache.isPartial() && cache.failure()?.isRefused !== true),
    isBeingRead: (of) => of.map(startKind).some((cache) => cache.isBeingRead()),
    remaining: (kind) => startKind(kind).remaining(),
    async settle(of) {
      await Promise.allSettled(of.map((kind) => startKind(kind).ready()))
    },
    failures(of) {
      return of.flatMap((kind) => {
        const failure = startKind(kind).failure()
        return failure ? [{ kind, ...failure }] : []
      })
    },
    version: (of) => of.reduce((sum, kind) => sum + (changes.get(kind) ?? 0), 0),
    watch(of) {
      for (const kind of of) startKind(kind).kick()
    },
    rows: (resource) => readRows(resource, (cache) => cache.ready()),
    beginRows: (resource) => readRows(resource, (cache) => cache.begun()),
    kept() {
      return [...watched].map(([key, { cache, startedAt, readAt, announced }]) => ({
        key,
        resource: key === announced ? undefined : announced,
        columns: columns.get(key) ?? [],
        table: cache.table,
        startedAt,
        lastReadAt: readAt,
        isLive: cache.isLive(),
        asOf: cache.asOf(),
        failure: cache.isLive() ? undefined : cache.failure(),
      }))
    },
    stopIdle(sinceMs) {
      if (options.isFollowed() || options.isNeeded() || options.isObserved()) {
        // Whoever leaves may come back: five minutes count from then.
        for (const each of watched.values()) each.usedAtMs = clock.monotonicMs()
        return false
      }
      for (const [kind, { cache, usedAtMs }] of watched) {
        if (usedAtMs > sinceMs) continue
        watched.delete(kind)
        cache.stop()
      }
      return watched.size === 0
    },
    stop() {
      reach.stop()
      changed.stop()
      for (const { cache } of watched.values()) cache.stop()
      watched.clear()
    },
  }
}

/** Resolves when each is there or forbidden; rejects where one fails for another reason, or where all are forbidden. */
async function untilAllowed(lists: readonly Promise<void>[]): Promise<void> {
  const all = await Promise.allSettled(lists)
  const errors = all.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  const isForbidden = (error: unknown) => error instanceof NotListed && error.isRefused
  const decisive =
    errors.find((error) => !isForbidden(error)) ?? (errors.length === lists.length ? errors[0] : undefined)
  if (decisive !== undefined) throw decisive
}
