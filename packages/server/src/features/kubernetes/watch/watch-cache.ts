import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { forbiddenText } from '../connection/forbidden-text.ts'
import type { Connect, LivePort, SetReachability } from '../connection/ports.ts'
import type { ClusterCache, KeptTable } from './cluster-cache.ts'
import { startClusterCache } from './cluster-cache.ts'
import type { LastKnown } from './kind-cache.ts'
import { NotListed } from './kind-cache.ts'
import type { ResourceRows, WatchedResource } from './resource-rows.ts'
import { rowsKey } from './resource-rows.ts'
import type { PodEntry } from './entries.ts'
import type { KindName } from './kinds.ts'
import { kindAt } from './kinds.ts'
import { healthKinds } from '../health/health-kinds.ts'
import type { KubeClient } from './kube-client.ts'
import type { KubeObject } from './kube-types.ts'

/** How long a first reader waits for the first list. */
const firstListTimeoutMs = 5_000
/** How long a kind is watched after its last reader. */
export const idleMs = 5 * 60_000
const sweepMs = 30_000

/** What a page about a cluster shows. */
const followedKinds: KindName[] = [...healthKinds, 'events']

export type WatchCacheDeps = {
  client: KubeClient
  connect: Connect
  setReachability: SetReachability
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

type RowWatcher = {
  resources: readonly WatchedResource[]
  /** Names of resources by what the cache calls their rows. */
  keys: ReadonlyMap<string, string>
  onChange: (resource: string) => void
}

/** Hears of each pod that changes, as it is now; without one, all have to be read anew. */
export type PodListener = (change?: PodChange) => void
type PodChange = { type: 'upsert' | 'remove'; entry: PodEntry; object: KubeObject }

/** Why something is watched although nobody may be reading it. */
type CacheReader = 'health' | 'changes' | 'pages'

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
  /** By cluster, and apart from its cache: who follows while it is being made follows it once it runs. */
  const followed = new Set<number>()
  const observers = new Map<number, Set<() => void>>()
  const rowWatchers = new Map<number, Set<RowWatcher>>()
  const podListeners = new Map<number, Set<PodListener>>()
  const health: ReadonlySet<string> = new Set(healthKinds)

  function cacheOf(organizationId: number, clusterId: number): ClusterCache {
    const found = caches.get(clusterId)
    if (found) return found
    const cache: ClusterCache = startClusterCache({
      ...deps,
      random: deps.random ?? Math.random,
      organizationId,
      clusterId,
      isFollowed: () => followed.has(clusterId),
      isNeeded: () => podListeners.has(clusterId),
      isObserved: () => observers.has(clusterId),
      onChange(kind, change) {
        // Rows of pods, if any, are kept under another name: these are entries of the kind.
        if (kind === 'pods')
          for (const each of podListeners.get(clusterId) ?? []) each(change as PodChange | undefined)
        if (health.has(kind)) for (const each of observers.get(clusterId) ?? []) each()
        for (const { keys, onChange } of rowWatchers.get(clusterId) ?? []) {
          const resource = keys.get(kind)
          if (resource !== undefined) onChange(resource)
        }
      },
      onGone: () => forget(clusterId, cache),
      lastKnown: async (key) => deps.lastKnown?.({ id: clusterId, organizationId }, key),
    })
    caches.set(clusterId, cache)
    if (followed.has(clusterId)) cache.watch(followedKinds)
    if (podListeners.has(clusterId)) cache.watch(['pods'])
    for (const watcher of rowWatchers.get(clusterId) ?? []) startRows(cache, watcher)
    return cache
  }

  /** What cannot be listed is tried again by its own watch. */
  function startRows(cache: ClusterCache, { resources }: RowWatcher): void {
    for (const resource of resources) cache.rows(resource).catch(() => undefined)
  }

  function forget(clusterId: number, only?: ClusterCache): void {
    const cache = caches.get(clusterId)
    if (!cache || (only && only !== cache)) return
    caches.delete(clusterId)
    cache.stop()
  }

  async function listed<T>(cluster: ClusterRef, first: Promise<T>, timeoutMs: number): Promise<T> {
    try {
      return await within(clock, timeoutMs, first)
    } catch (error) {
      if (!(error instanceof NotListed)) throw error
      if (error.isRefused) {
        throw new AppError('cluster_forbidden', forbiddenText(cluster.title), { cause: error })
      }
      throw new AppError(
        'cluster_unreachable',
        `The cluster "${cluster.title}" does not answer: ${error.message}.`,
        { cause: error },
      )
    }
  }

  deps.live.onSubscription('cluster_resources', ({ clusterId }, organizationId) => {
    followed.add(clusterId)
    cacheOf(organizationId, clusterId).watch(followedKinds)
    return () => void followed.delete(clusterId)
  })

  const stopSweep = clock.setInterval(() => {
    const bound = clock.monotonicMs() - idleMs
    for (const [id, cache] of caches) if (cache.stopIdle(bound)) forget(id, cache)
  }, sweepMs)

  return {
    async read(cluster, kinds, timeoutMs = firstListTimeoutMs) {
      const cache = cacheOf(cluster.organizationId, cluster.id)
      await listed(cluster, cache.use(kinds), timeoutMs)
      return cache
    },
    async readPart(cluster, kinds, patienceMs, timeoutMs = firstListTimeoutMs) {
      const cache = cacheOf(cluster.organizationId, cluster.id)
      const ways = { whole: () => cache.use(kinds), part: () => cache.begin(kinds) }
      await listed(cluster, wholeOrPart(clock, patienceMs, ways), timeoutMs)
      return cache
    },
    readRows(cluster, resource, timeoutMs = firstListTimeoutMs) {
      return listed(cluster, cacheOf(cluster.organizationId, cluster.id).rows(resource), timeoutMs)
    },
    readRowsPart(cluster, resource, patienceMs, timeoutMs = firstListTimeoutMs) {
      const cache = cacheOf(cluster.organizationId, cluster.id)
      const ways = { whole: () => cache.rows(resource), part: () => cache.beginRows(resource) }
      return listed(cluster, wholeOrPart(clock, patienceMs, ways), timeoutMs)
    },
    announce({ id, organizationId }, resource) {
      const cache = cacheOf(organizationId, id)
      const kind = kindAt(resource.path)
      if (kind) cache.watch([kind])
      // Who may not list it may still read it.
      else cache.rows(resource).catch(() => undefined)
    },
    kept(clusterId) {
      const isHealthObserved = observers.has(clusterId)
      const watchers = [...(rowWatchers.get(clusterId) ?? [])]
      return (caches.get(clusterId)?.kept() ?? []).map((each) => {
        const readers: CacheReader[] = []
        if (isHealthObserved && health.has(each.key)) readers.push('health')
        if (watchers.some(({ keys }) => keys.has(each.key))) readers.push('changes')
        // Who follows a cluster keeps everything of it that a page has asked for.
        if (followed.has(clusterId)) readers.push('pages')
        return { ...each, readers }
      })
    },
    observe({ id, organizationId }, onChange) {
      const listeners = observers.get(id) ?? new Set()
      observers.set(id, listeners.add(onChange))
      cacheOf(organizationId, id).watch(healthKinds)
      return {
        cache: () => cacheOf(organizationId, id),
        stop() {
          listeners.delete(onChange)
          if (listeners.size === 0) observers.delete(id)
        },
      }
    },
    watchRows({ id, organizationId }, resources, onChange) {
      const keys = new Map(resources.map((resource) => [rowsKey(resource), resource.name]))
      const watcher = { resources, keys, onChange }
      rowWatchers.set(id, (rowWatchers.get(id) ?? new Set()).add(watcher))
      startRows(cacheOf(organizationId, id), watcher)
      return {
        stop() {
          const left = rowWatchers.get(id)
          left?.delete(watcher)
          if (left?.size === 0) rowWatchers.delete(id)
        },
      }
    },
    followPods({ id, organizationId }, listener) {
      podListeners.set(id, (podListeners.get(id) ?? new Set()).add(listener))
      const cache = () => cacheOf(organizationId, id)
      cache().watch(['pods'])
      return {
        failure: () => cache().failures(['pods'])[0],
        stop() {
          const left = podListeners.get(id)
          left?.delete(listener)
          if (left?.size === 0) podListeners.delete(id)
        },
      }
    },
    forget: (clusterId) => forget(clusterId),
    stop() {
      stopSweep()
      for (const id of caches.keys()) forget(id)
    },
  }
}

/** The whole, or the part that is there after `patienceMs` where the whole takes longer. */
async function wholeOrPart<T>(
  clock: Clock,
  patienceMs: number,
  { whole, part }: Record<'whole' | 'part', () => Promise<T>>,
): Promise<T> {
  if (patienceMs <= 0) return part()
  let cancel = () => undefined as void
  const late = new Promise<void>((resolve) => {
    cancel = clock.setTimeout(resolve, patienceMs)
  })
  try {
    return await Promise.race([whole(), late.then(part)])
  } finally {
    cancel()
  }
}

async function within<T>(clock: Clock, timeoutMs: number, work: Promise<T>): Promise<T> {
  let cancel = () => undefined as void
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.setTimeout(() => reject(new NotListed('it took too long')), timeoutMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    cancel()
  }
}
