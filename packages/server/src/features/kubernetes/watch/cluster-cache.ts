import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Connect, LivePort, SetReachability } from '../connection/ports.ts'
import type { KindCache } from './kind-cache.ts'
import { startKindCache } from './kind-cache.ts'
import type { Entries, KindName } from './kinds.ts'
import { kinds } from './kinds.ts'
import type { KubeClient } from './kube-client.ts'
import type { Table } from './table.ts'

/** Whoever follows a cluster hears of its changes at most this often. */
const publishPeriodMs = 250
/** A watch that is lost and comes back within this time is no news. */
const unreachableAfterMs = 3_000

export type ClusterCache = {
  clusterId: number
  /** A kind that was read; throws for one that was not asked for. */
  table<K extends KindName>(kind: K): Table<Entries[K]>
  /** How current these kinds are together: the oldest of them. */
  freshness(of: readonly KindName[]): { asOf: string; isLive: boolean }
  /** Starts what is not watched yet; resolves when each has its first list. */
  use(of: KindName[]): Promise<void>
  /** Starts what is not watched yet; resolves when each has its first list or is known to have none. Never throws. */
  settle(of: readonly KindName[]): Promise<void>
  /** Which of these kinds are not known or not current, and why. */
  failures(of: readonly KindName[]): { kind: KindName; reason: string; isRefused: boolean }[]
  /** Grows with every change of these kinds. */
  version(of: readonly KindName[]): number
  /** Watches these kinds from now on, whether or not they can be read yet. */
  watch(of: readonly KindName[]): void
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
  live: Pick<LivePort, 'local'>
  clock: Clock
  log: Log
  random: () => number
  /** Whether somebody hears of changes; what is followed is not stopped. */
  isFollowed: () => boolean
  /** Whether the server itself observes the cluster. */
  isObserved: () => boolean
  /** A kind changed, or is no longer current. */
  onChange: (kind: KindName) => void
  onGone: () => void
}

export function startClusterCache(options: Options): ClusterCache {
  const { organizationId, clusterId, clock, log } = options
  const watched = new Map<KindName, { cache: KindCache<Entries[KindName]>; usedAtMs: number }>()
  const changes = new Map<KindName, number>()
  const reach = reachability(options)
  const news = publisher(options, isLive)

  function isLive(): boolean {
    return [...watched.values()].every(({ cache }) => cache.isLive() || cache.failure()?.isRefused === true)
  }

  function start(name: KindName): KindCache<Entries[KindName]> {
    const found = watched.get(name)
    if (found) {
      found.usedAtMs = clock.monotonicMs()
      return found.cache
    }
    const cache = startKindCache<Entries[KindName]>(kinds[name], {
      client: options.client,
      connect: () => options.connect(organizationId, clusterId),
      clock,
      random: options.random,
      onChange() {
        changes.set(name, (changes.get(name) ?? 0) + 1)
        news.changed(name)
        options.onChange(name)
      },
      onLive: () => reach.reachable(),
      onLost(reason, { isGone, isRefused }) {
        log.debug({ clusterId, kind: name, reason }, 'A watch was lost')
        if (isGone) options.onGone()
        // A cluster that forbids one kind can be reached.
        else if (isRefused) reach.reachable()
        else reach.lost(reason, isLive)
      },
    })
    watched.set(name, { cache, usedAtMs: clock.monotonicMs() })
    return cache
  }

  return {
    clusterId,
    table<K extends KindName>(kind: K): Table<Entries[K]> {
      const found = watched.get(kind)
      if (!found) throw new Error(`${kind} are not watched`)
      // The map cannot say that each kind holds its own entries; `start` puts nothing else there.
      return found.cache.table as unknown as Table<Entries[K]>
    },
    freshness(of) {
      const caches = of.map((kind) => start(kind))
      const asOf = Math.min(...caches.map((cache) => cache.asOf().getTime()))
      return { asOf: new Date(asOf).toISOString(), isLive: caches.every((cache) => cache.isLive()) }
    },
    async use(of) {
      await Promise.all(of.map((kind) => start(kind).ready()))
    },
    async settle(of) {
      await Promise.allSettled(of.map((kind) => start(kind).ready()))
    },
    failures(of) {
      return of.flatMap((kind) => {
        const failure = start(kind).failure()
        return failure ? [{ kind, ...failure }] : []
      })
    },
    version: (of) => of.reduce((sum, kind) => sum + (changes.get(kind) ?? 0), 0),
    watch(of) {
      for (const kind of of) start(kind).kick()
    },
    stopIdle(sinceMs) {
      if (options.isFollowed() || options.isObserved()) {
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
      news.stop()
      for (const { cache } of watched.values()) cache.stop()
      watched.clear()
    },
  }
}

/** Tells followers which kinds changed, together and not too often; the first at once. */
function publisher(options: Options, isLive: () => boolean) {
  const { live, clock, clusterId, organizationId, isFollowed } = options
  const changed = new Set<KindName>()
  let cancel: (() => void) | undefined

  function publish(): void {
    cancel = undefined
    if (changed.size === 0) return
    const data = { clusterId, kinds: [...changed], isLive: isLive() }
    changed.clear()
    if (!isFollowed()) return
    live.local({ organizationId, type: 'CLUSTER_RESOURCE_UPDATE', data })
    cancel = clock.setTimeout(publish, publishPeriodMs)
  }

  return {
    changed(kind: KindName): void {
      if (!isFollowed()) return
      changed.add(kind)
      // A moment to gather what belongs together: one change of a deployment moves pods and events too.
      cancel ??= clock.setTimeout(publish, 20)
    },
    stop: () => cancel?.(),
  }
}

/** Notes the cluster's reachability when it changes, not each time a watch is opened again. */
function reachability({ organizationId, clusterId, setReachability, clock, log }: Options) {
  let recordedState: 'reachable' | 'unreachable' | undefined
  let cancel: (() => void) | undefined

  function note(state: 'reachable' | 'unreachable', reason: string | null): void {
    if (recordedState === state) return
    recordedState = state
    setReachability(organizationId, clusterId, state, reason).catch((error: unknown) => {
      recordedState = undefined
      log.debug({ err: error, clusterId }, 'The reachability of a cluster was not noted')
    })
  }

  return {
    reachable(): void {
      cancel?.()
      cancel = undefined
      note('reachable', null)
    },
    lost(reason: string, isLive: () => boolean): void {
      if (recordedState === 'unreachable' || cancel) return
      cancel = clock.setTimeout(() => {
        cancel = undefined
        if (!isLive()) note('unreachable', `It does not answer: ${reason}.`)
      }, unreachableAfterMs)
    },
    stop: () => cancel?.(),
  }
}
