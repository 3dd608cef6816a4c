import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Connect, LivePort, NoteIdentity, SetReachability } from '../connection/ports.ts'
import { healthKinds } from '../health/health-kinds.ts'
import type { CacheReader, PodListener } from './cache-listeners.ts'
import { createCacheListeners } from './cache-listeners.ts'
import type { ClusterCache } from './cluster-cache.ts'
import { startClusterCache } from './cluster-cache.ts'
import { asAppError, listedWithin, wholeOrPart } from './first-list.ts'
import type { KeptTable } from './kept-tables.ts'
import type { LastKnown } from './kind-cache.ts'
import type { KindName } from './kinds.ts'
import type { Silence } from './liveness.ts'
import { kindAt } from './kinds.ts'
import type { KubeClient } from './kube-client.ts'
import type { ResourceRows, WatchedResource } from './resource-rows.ts'

/** How long a first reader waits for the first list. */
const firstListTimeoutMs = 5_000
/** How long a kind is watched after its last reader. */
export const idleMs = 5 * 60_000
const sweepMs = 30_000

/** What a page about a cluster shows. */
const followedKinds: KindName[] = [...healthKinds, 'events']

export type WatchCacheDeps = {
  client: KubeClient
  /** Reads a cluster whose watches are shared with other processes; without it each process watches for itself. */
  clientOf?: ((cluster: Pick<ClusterRef, 'id' | 'organizationId'>) => KubeClient) | undefined
  connect: Connect
  setReachability: SetReachability
  /** Where it is not kept, a restored cluster is read anew all the same. */
  noteIdentity?: NoteIdentity
  /** A cluster was restored or replaced: what was read of it belongs to another state. */
  onReplaced?: (clusterId: number) => void
  live: Pick<LivePort, 'local' | 'objectChanged' | 'onSubscription'>
  clock: Clock
  log: Log
  random?: () => number
  /** Lists of clusters as they were kept before this process; without it there are none. */
  lastKnown?: (
    cluster: Pick<ClusterRef, 'id' | 'organizationId'>,
    key: string,
  ) => Promise<LastKnown | undefined>
}

type ClusterRef = { id: number; organizationId: number; title: string }

/** A cluster that the server watches for itself. */
type Observation = {
  /** The cache as it is now: another one after the cluster was gone and came back. */
  cache(): ClusterCache
  stop(): void
}

export type WatchCache = {
  /**
   * The kinds of a cluster as this process knows them, watched from now on. Waits for the first list of each, at
   * most `timeoutMs`; throws AppError `cluster_unreachable` when there is none.
   */
  read(cluster: ClusterRef, kinds: readonly KindName[], timeoutMs?: number): Promise<ClusterCache>
  /**
   * The same for a reader that can show a part: after `patienceMs`, the first page of each kind is enough. Ask
   * `isPartial` whether it is all.
   */
  readPart(
    cluster: ClusterRef,
    kinds: readonly KindName[],
    patienceMs: number,
    timeoutMs?: number,
  ): Promise<ClusterCache>
  /** The rows of any resource that the cluster serves, watched from now on; as `read`. */
  readRows(cluster: ClusterRef, resource: WatchedResource, timeoutMs?: number): Promise<ResourceRows>
  /** The same for a reader that can show a part; as `readPart`. */
  readRowsPart(
    cluster: ClusterRef,
    resource: WatchedResource,
    patienceMs: number,
    timeoutMs?: number,
  ): Promise<ResourceRows>
  /**
   * Does some work at a cluster; throws AppError `cluster_unreachable` as soon as it is known not to answer, instead of
   * waiting for the work.
   */
  whileAnswering<T>(cluster: ClusterRef, work: () => Promise<T>): Promise<T>
  /** Why the cluster is known not to answer; undefined while it does, or is not watched. Starts nothing. */
  silence(clusterId: number): Silence | undefined
  /** Lets followers hear of changes of a resource from now on, of which nothing is read; as a kind where it is kept as one. */
  announce(cluster: Pick<ClusterRef, 'id' | 'organizationId'>, resource: WatchedResource): void
  /** Watches the rows of these resources until stopped; `onChange` is called with the name of what changed. */
  watchRows(
    cluster: ClusterRef,
    resources: readonly WatchedResource[],
    onChange: (resource: string) => void,
  ): { stop(): void }
  /** Watches the pods of a cluster, by the watch that all share, until stopped. */
  followPods(
    cluster: Pick<ClusterRef, 'id' | 'organizationId'>,
    listener: PodListener,
  ): {
    /** Why changes are not heard of at the moment; undefined while they are. */
    failure(): { reason: string; isRefused: boolean } | undefined
    stop(): void
  }
  /** Watches what health is derived from until stopped; `onChange` is called at every change. */
  observe(cluster: ClusterRef, onChange: () => void): Observation
  /** What is kept of a cluster at the moment, and who it is kept for. Starts nothing. */
  kept(clusterId: number): (KeptTable & { readers: CacheReader[] })[]
  /** Stops watching a cluster that is gone. */
  forget(clusterId: number): void
  stop(): void
}

/** One list and watch per cluster and kind and process, no matter how many read it. */
export function createWatchCache(deps: WatchCacheDeps): WatchCache {
  const { clock } = deps
  const caches = new Map<number, ClusterCache>()
  const listeners = createCacheListeners()

  function cacheOf({ organizationId, id }: Pick<ClusterRef, 'id' | 'organizationId'>): ClusterCache {
    const found = caches.get(id)
    if (found) return found
    const cache: ClusterCache = startClusterCache({
      ...deps,
      client: deps.clientOf?.({ id, organizationId }) ?? deps.client,
      noteIdentity: deps.noteIdentity ?? (async () => undefined),
      random: deps.random ?? Math.random,
      organizationId,
      clusterId: id,
      isFollowed: () => listeners.isFollowed(id),
      isNeeded: () => listeners.hasPods(id),
      isObserved: () => listeners.isObserved(id),
      onChange: (key, change) => listeners.changed(id, key, change),
      onGone: () => forget(id, cache),
      onReplaced: () => deps.onReplaced?.(id),
      lastKnown: async (key) => deps.lastKnown?.({ id, organizationId }, key),
    })
    caches.set(id, cache)
    if (listeners.isFollowed(id)) cache.watch(followedKinds)
    if (listeners.hasPods(id)) cache.watch(['pods'])
    startRows(cache, listeners.rowsOf(id))
    return cache
  }

  function forget(clusterId: number, only?: ClusterCache): void {
    const cache = caches.get(clusterId)
    if (!cache || (only && only !== cache)) return
    caches.delete(clusterId)
    cache.stop()
  }

  deps.live.onSubscription(
    'cluster_resources',
    ({ clusterId: id }, organizationId) => {
      const unfollow = listeners.follow(id)
      const cache = cacheOf({ organizationId, id })
      cache.watch(followedKinds)
      cache.announceRecent()
      return unfollow
    },
    ({ clusterId: id }) => caches.get(id)?.announceRecent(),
  )

  const stopSweep = clock.setInterval(() => {
    const bound = clock.monotonicMs() - idleMs
    for (const [id, cache] of caches) if (cache.stopIdle(bound)) forget(id, cache)
  }, sweepMs)

  return {
    async read(cluster, kinds, timeoutMs = firstListTimeoutMs) {
      const cache = cacheOf(cluster)
      await listedWithin(cluster, clock, timeoutMs, cache.use(kinds))
      return cache
    },
    async readPart(cluster, kinds, patienceMs, timeoutMs = firstListTimeoutMs) {
      const cache = cacheOf(cluster)
      const ways = { whole: () => cache.use(kinds), part: () => cache.begin(kinds) }
      await listedWithin(cluster, clock, timeoutMs, wholeOrPart(clock, patienceMs, ways))
      return cache
    },
    readRows: (cluster, resource, timeoutMs = firstListTimeoutMs) =>
      listedWithin(cluster, clock, timeoutMs, cacheOf(cluster).rows(resource)),
    readRowsPart(cluster, resource, patienceMs, timeoutMs = firstListTimeoutMs) {
      const cache = cacheOf(cluster)
      const ways = { whole: () => cache.rows(resource), part: () => cache.beginRows(resource) }
      return listedWithin(cluster, clock, timeoutMs, wholeOrPart(clock, patienceMs, ways))
    },
    async whileAnswering(cluster, work) {
      try {
        return await cacheOf(cluster).whileAnswering(work)
      } catch (error) {
        throw asAppError(cluster, error)
      }
    },
    silence: (clusterId) => caches.get(clusterId)?.silence(),
    announce(cluster, resource) {
      const kind = kindAt(resource.path)
      if (kind) cacheOf(cluster).watch([kind])
      // Who may not list it may still read it.
      else startRows(cacheOf(cluster), [resource])
    },
    kept: (clusterId) =>
      (caches.get(clusterId)?.kept() ?? []).map((each) => ({
        ...each,
        readers: listeners.readersOf(clusterId, each.key),
      })),
    observe(cluster, onChange) {
      const stop = listeners.addObserver(cluster.id, onChange)
      cacheOf(cluster).watch(healthKinds)
      return { cache: () => cacheOf(cluster), stop }
    },
    watchRows(cluster, resources, onChange) {
      const stop = listeners.addRows(cluster.id, resources, onChange)
      startRows(cacheOf(cluster), resources)
      return { stop }
    },
    followPods(cluster, listener) {
      const stop = listeners.addPods(cluster.id, listener)
      cacheOf(cluster).watch(['pods'])
      return { failure: () => cacheOf(cluster).failures(['pods'])[0], stop }
    },
    forget: (clusterId) => forget(clusterId),
    stop() {
      stopSweep()
      for (const id of caches.keys()) forget(id)
    },
  }
}

/** What cannot be listed is tried again by its own watch. */
function startRows(cache: ClusterCache, resources: readonly WatchedResource[]): void {
  for (const resource of resources) cache.rows(resource).catch(() => undefined)
}
