import type { PodEntry } from './entries.ts'
import { healthKinds } from '../health/health-kinds.ts'
import type { ObjectChange } from './kind-cache.ts'
import type { KubeObject } from './kube-types.ts'
import type { WatchedResource } from './resource-rows.ts'
import { rowsKey } from './resource-rows.ts'

/** Hears of each pod that changes, as it is now; without one, all have to be read anew. */
export type PodListener = (change?: PodChange) => void
type PodChange = { type: 'upsert' | 'remove'; entry: PodEntry; object: KubeObject }

/** Why something is watched although nobody may be reading it. */
export type CacheReader = 'health' | 'changes' | 'pages'

type RowListener = {
  resources: readonly WatchedResource[]
  /** Names of resources by what the cache calls their rows. */
  keys: ReadonlyMap<string, string>
  onChange: (resource: string) => void
}

const health: ReadonlySet<string> = new Set(healthKinds)

/** Who hears of changes of which cluster. Kept apart from its cache: who listens before it is made listens once it is. */
export function createCacheListeners() {
  const followed = new Set<number>()
  const observers = createListeners<() => void>()
  const rows = createListeners<RowListener>()
  const pods = createListeners<PodListener>()

  return {
    /** Pages that show a cluster. */
    follow(clusterId: number): () => void {
      followed.add(clusterId)
      return () => void followed.delete(clusterId)
    },
    isFollowed: (clusterId: number) => followed.has(clusterId),
    /** What keeps the health of a cluster: hears of every change of what health is derived from. */
    addObserver: (clusterId: number, onChange: () => void) => observers.add(clusterId, onChange),
    isObserved: (clusterId: number) => observers.has(clusterId),
    addPods: (clusterId: number, listener: PodListener) => pods.add(clusterId, listener),
    hasPods: (clusterId: number) => pods.has(clusterId),
    addRows(clusterId: number, resources: readonly WatchedResource[], onChange: RowListener['onChange']) {
      const keys = new Map(resources.map((resource) => [rowsKey(resource), resource.name]))
      return rows.add(clusterId, { resources, keys, onChange })
    },
    /** Resources whose rows somebody listens to. */
    rowsOf: (clusterId: number) => [...rows.of(clusterId)].flatMap(({ resources }) => resources),
    /** A kind, or the rows of a resource, changed. */
    changed(clusterId: number, key: string, change: ObjectChange | undefined): void {
      // Rows of pods, if any, are kept under another name: these are entries of the kind.
      if (key === 'pods') for (const each of pods.of(clusterId)) each(change as PodChange | undefined)
      if (health.has(key)) for (const each of observers.of(clusterId)) each()
      for (const { keys, onChange } of rows.of(clusterId)) {
        const resource = keys.get(key)
        if (resource !== undefined) onChange(resource)
      }
    },
    /** For whom something is kept. */
    readersOf(clusterId: number, key: string): CacheReader[] {
      const readers: CacheReader[] = []
      if (observers.has(clusterId) && health.has(key)) readers.push('health')
      if ([...rows.of(clusterId)].some(({ keys }) => keys.has(key))) readers.push('changes')
      // Who follows a cluster keeps everything of it that a page has asked for.
      if (followed.has(clusterId)) readers.push('pages')
      return readers
    },
  }
}

/** Listeners by cluster. */
function createListeners<Listener>() {
  const all = new Map<number, Set<Listener>>()
  const none: ReadonlySet<Listener> = new Set()
  return {
    add(clusterId: number, listener: Listener): () => void {
      all.set(clusterId, (all.get(clusterId) ?? new Set()).add(listener))
      return () => {
        const left = all.get(clusterId)
        left?.delete(listener)
        if (left?.size === 0) all.delete(clusterId)
      }
    },
    has: (clusterId: number) => all.has(clusterId),
    of: (clusterId: number) => all.get(clusterId) ?? none,
  }
}
