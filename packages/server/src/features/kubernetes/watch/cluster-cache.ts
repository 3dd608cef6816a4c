import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Connect, LivePort, NoteIdentity, SetReachability } from '../connection/ports.ts'
import { createChangePublisher } from './change-publisher.ts'
import type { Entry } from './entries.ts'
import type { KeptTable } from './kept-tables.ts'
import { createKeptTables } from './kept-tables.ts'
import type { KindCache, KindSource, LastKnown, ObjectChange } from './kind-cache.ts'
import { NotListed, startKindCache } from './kind-cache.ts'
import type { Entries, KindName } from './kinds.ts'
import { kinds } from './kinds.ts'
import type { KubeClient } from './kube-client.ts'
import type { Liveness, Silence } from './liveness.ts'
import { startLiveness } from './liveness.ts'
import { createReachabilityRecord } from './reachability-record.ts'
import type { RowEntry } from './row-entry.ts'
import type { ResourceRows, WatchedResource } from './resource-rows.ts'
import { resourceRows, rowsKey } from './resource-rows.ts'
import { createSharedWatches } from './shared-watches.ts'
import type { Table } from './table.ts'

/** How current something is: `noAnswerSince` is null while its cluster answers. */
export type Freshness = { asOf: string; isLive: boolean; noAnswerSince: string | null }

export type ClusterCache = {
  clusterId: number
  /** A kind that was read; throws for one that was not asked for. */
  table<K extends KindName>(kind: K): Table<Entries[K]>
  /** Whether a kind is kept at the moment, so that `table` has it; asking does not start it. */
  holds(kind: KindName): boolean
  /** How current these kinds are together: the oldest of them. */
  freshness(of: readonly KindName[]): Freshness
  /** Why and since when the cluster does not answer; undefined while it does. */
  silence(): Silence | undefined
  /** Does some work at the cluster; rejects with NotListed as soon as the cluster is known not to answer. */
  whileAnswering<T>(work: () => Promise<T>): Promise<T>
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
  /** Announces what changed a moment ago to whoever begins to follow now. */
  announceRecent(): void
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
  noteIdentity: NoteIdentity
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
  /** It was restored or replaced, and is read anew. */
  onReplaced: () => void
  /** A list under its key as it was kept before this process, for as long as there is none. */
  lastKnown: (key: string) => Promise<LastKnown | undefined>
}

export function startClusterCache(options: Options): ClusterCache {
  const { clusterId, clock } = options
  const tables = createKeptTables(clock)
  const connect = () => options.connect(options.organizationId, clusterId)
  const reachability = createReachabilityRecord(options)
  const liveness = startLiveness({
    client: options.client,
    connect,
    clock,
    onMove(silence, isFirst) {
      const recorded = reachability.record(silence)
      // That it answers as expected changes nothing of what is shown.
      if (isFirst && !silence) return
      // Whoever reads again finds what is recorded.
      void recorded.then(() => changed.addAll())
      if (silence) options.log.debug({ clusterId, reason: silence.reason }, 'A cluster does not answer')
      allChanged()
    },
    onIdentity(uid, isReplaced) {
      if (isReplaced) {
        options.log.warn({ clusterId }, 'A cluster was restored or replaced; everything is read anew')
        options.onReplaced()
        allChanged()
      }
      void reachability.noteIdentity(uid, isReplaced).then(() => (isReplaced ? changed.addAll() : undefined))
    },
    onGone: options.onGone,
  })
  const changed = createChangePublisher(options, () => liveness.silence() === undefined && tables.isLive())
  const watchOf = createSharedWatches({
    client: options.client,
    connect,
    liveness,
    clock,
    random: options.random,
  })

  /** Nothing changed in the cluster, but in whether what is kept of it is true. */
  function allChanged(): void {
    for (const key of tables.keys()) {
      tables.countChange(key)
      options.onChange(key, undefined)
    }
  }

  const start = (key: string, source: KindSource<Entry>, announced: string): KindCache<Entry> =>
    tables.read(key, announced, () =>
      startKindCache(source, {
        watch: watchOf(source),
        liveness,
        clock,
        onChange(change) {
          tables.countChange(key)
          changed.add(announced, change?.entry)
          options.onChange(key, change)
        },
        onLost(reason, { isGone }) {
          options.log.debug({ clusterId, kind: announced, reason }, 'A watch was lost')
          if (isGone) options.onGone()
        },
        async lastKnown() {
          const found = await options.lastKnown(key)
          if (found) tables.setColumns(key, found.columns)
          return found
        },
      }),
    )

  const startKind = (kind: KindName) => start(kind, kinds[kind], kind)

  const noAnswerSince = () => liveness.silence()?.since.toISOString() ?? null

  async function readRows(
    resource: WatchedResource,
    until: (cache: KindCache<RowEntry>) => Promise<void>,
  ): Promise<ResourceRows> {
    const key = rowsKey(resource)
    const source = resourceRows(resource, (found) => tables.setColumns(key, found))
    const cache = start(key, source, resource.name) as KindCache<RowEntry>
    await until(cache)
    if (cache.isMissing()) throw new NotListed('it does not serve it any more', 'missing')
    return {
      table: cache.table,
      columns: tables.columns(key),
      asOf: cache.asOf().toISOString(),
      isLive: cache.isLive(),
      noAnswerSince: noAnswerSince(),
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
    freshness: (of) => ({
      ...freshnessOf(of.map(startKind), liveness, clock.now()),
      noAnswerSince: noAnswerSince(),
    }),
    silence: liveness.silence,
    async whileAnswering(work) {
      const fail = () => new NotListed(liveness.silence()?.reason ?? 'it was restored or replaced')
      if (liveness.silence()) throw fail()
      const period = liveness.period()
      const over = Promise.withResolvers<never>()
      const end = () => over.reject(fail())
      period.addEventListener('abort', end, { once: true })
      try {
        return await Promise.race([work(), over.promise])
      } finally {
        period.removeEventListener('abort', end)
      }
    },
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
    announceRecent: changed.announceRecent,
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
      liveness.stop()
      changed.stop()
      tables.stop()
    },
  }
}

const isRefused = (cache: KindCache<Entry>) => cache.failure()?.isRefused === true

/** What the cluster forbids is no older for that. */
function freshnessOf(
  all: readonly KindCache<Entry>[],
  { silence, lastAnswerAt }: Pick<Liveness, 'silence' | 'lastAnswerAt'>,
  now: Date,
): Pick<Freshness, 'asOf' | 'isLive'> {
  const isSilent = silence() !== undefined
  const readable = all.filter((cache) => !isRefused(cache))
  const times = readable.map((cache) => cache.asOf().getTime())
  const newest = isSilent ? (lastAnswerAt() ?? now) : now
  const asOf = times.length === 0 ? newest : new Date(Math.min(...times))
  return { asOf: asOf.toISOString(), isLive: !isSilent && readable.every((cache) => cache.isLive()) }
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
