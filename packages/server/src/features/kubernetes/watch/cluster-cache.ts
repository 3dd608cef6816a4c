import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Connect, LivePort, SetReachability } from '../connection/ports.ts'
import { createChangePublisher } from './change-publisher.ts'
import type { Entry } from './entries.ts'
import type { KeptTable } from './kept-tables.ts'
import { createKeptTables } from './kept-tables.ts'
import type { KindCache, KindSource, LastKnown, ObjectChange } from './kind-cache.ts'
import { NotListed, startKindCache } from './kind-cache.ts'
import type { Entries, KindName } from './kinds.ts'
import { kinds } from './kinds.ts'
import type { KubeClient } from './kube-client.ts'
import { trackReachability } from './reachability.ts'
import type { RowEntry } from './row-entry.ts'
import type { ResourceRows, WatchedResource } from './resource-rows.ts'
import { resourceRows, rowsKey } from './resource-rows.ts'
import { createSharedWatches } from './shared-watches.ts'
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
  const { clusterId, clock } = options
  const tables = createKeptTables(clock)
  const reach = trackReachability(options)
  const changed = createChangePublisher(options, tables.isLive)
  const watchOf = createSharedWatches({
    client: options.client,
    connect: () => options.connect(options.organizationId, clusterId),
    clock,
    random: options.random,
  })

  const start = (key: string, source: KindSource<Entry>, announced: string): KindCache<Entry> =>
    tables.read(key, announced, () =>
      startKindCache(source, {
        watch: watchOf(source),
        clock,
        onChange(change) {
          tables.countChange(key)
          changed.add(announced, change?.entry)
          options.onChange(key, change)
        },
        onLive: () => reach.reachable(),
        onLost(reason, { isGone, isRefused }) {
          options.log.debug({ clusterId, kind: announced, reason }, 'A watch was lost')
          if (isGone) options.onGone()
          // A cluster that forbids one kind can be reached.
          else if (isRefused) reach.reachable()
          else reach.lost(reason, tables.isLive)
        },
        async lastKnown() {
          const found = await options.lastKnown(key)
          if (found) tables.setColumns(key, found.columns)
          return found
        },
      }),
    )

  const startKind = (kind: KindName) => start(kind, kinds[kind], kind)

  async function readRows(
    resource: WatchedResource,
    until: (cache: KindCache<RowEntry>) => Promise<void>,
  ): Promise<ResourceRows> {
    const key = rowsKey(resource)
    const source = resourceRows(resource, (found) => tables.setColumns(key, found))
    const cache = start(key, source, resource.name) as KindCache<RowEntry>
    await until(cache)
    return {
      table: cache.table,
      columns: tables.columns(key),
      asOf: cache.asOf().toISOString(),
      isLive: cache.isLive(),
      isPartial: cache.isPartial(),
      remaining: cache.remaining(),
    }
  }

  return {
    clusterId,
    table<K extends KindName>(kind: K): Table<Entries[K]> {
      const found = tables.find(kind)
      if (!found) throw new Error(`${kind} are not watched`)
      // The map cannot say that each kind holds its own entries; `start` puts nothing else there.
      return found.table as unknown as Table<Entries[K]>
    },
    holds: (kind) => tables.find(kind) !== undefined,
    freshness: (of) => freshnessOf(of.map(startKind), clock.now()),
    use: (of) => untilAllowed(of.map((kind) => startKind(kind).ready())),
    begin: (of) => untilAllowed(of.map((kind) => startKind(kind).begun())),
    isPartial: (of) => of.map(startKind).some((cache) => cache.isPartial() && !isRefused(cache)),
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
    version: (of) => of.reduce((sum, kind) => sum + tables.changes(kind), 0),
    watch(of) {
      for (const kind of of) startKind(kind).kick()
    },
    rows: (resource) => readRows(resource, (cache) => cache.ready()),
    beginRows: (resource) => readRows(resource, (cache) => cache.begun()),
    kept: tables.list,
    stopIdle(sinceMs) {
      if (!options.isFollowed() && !options.isNeeded() && !options.isObserved())
        return tables.stopUnread(sinceMs)
      // Whoever leaves may come back: five minutes count from then.
      tables.touch()
      return false
    },
    stop() {
      reach.stop()
      changed.stop()
      tables.stop()
    },
  }
}

const isRefused = (cache: KindCache<Entry>) => cache.failure()?.isRefused === true

/** What the cluster forbids is no older for that. */
function freshnessOf(all: readonly KindCache<Entry>[], now: Date): { asOf: string; isLive: boolean } {
  const readable = all.filter((cache) => !isRefused(cache))
  const times = readable.map((cache) => cache.asOf().getTime())
  const asOf = times.length === 0 ? now : new Date(Math.min(...times))
  return { asOf: asOf.toISOString(), isLive: readable.every((cache) => cache.isLive()) }
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
