import type { WatchCache } from '../watch/watch-cache.ts'
import type { CustomKinds } from './custom-kinds.ts'
import { nodeResource, recordedResources } from './recorded-resources.ts'
import type { RecordedResource } from './recorded-resources.ts'
import type { RecorderDeps, ResourceRecorder } from './resource-recorder.ts'
import { recordResource } from './resource-recorder.ts'
import type { ObservedCluster } from './row-sources.ts'
import { listedRows, writtenNodes } from './row-sources.ts'

type Deps = RecorderDeps & { cache: WatchCache; customKinds: CustomKinds }

const builtIn = { gatherMs: 500, maxObjects: 50_000 }
const firstLookMs = 100
/** Their controllers may write them without end. */
const custom = { gatherMs: 2_000, maxObjects: 2_000 }

/**
 * Keeps what objects of a cluster said whenever they changed. It compares the rows that are watched anyway with what it
 * has recorded, reads the objects that differ, and writes a version where more than the status differs. What changed
 * while nobody looked is found by comparing with the newest version in the database. Custom resources are recorded from
 * the first time that somebody reads them.
 */
export function recordChanges(cluster: ObservedCluster, deps: Deps): { stop(): void } {
  const { cache } = deps
  const recorders = new Map<string, ResourceRecorder>()
  const stops: (() => void)[] = []

  function watch(resources: readonly RecordedResource[], bounds: typeof builtIn): void {
    const added = resources.filter(({ name }) => !recorders.has(name))
    for (const resource of added)
      recorders.set(
        resource.name,
        recordResource(cluster, listedRows(cluster, resource, cache, bounds), deps),
      )
    stops.push(cache.watchRows(cluster, added, (name) => recorders.get(name)?.changed()).stop)
    for (const { name } of added) recorders.get(name)?.changed(firstLookMs)
  }

  watch(recordedResources, builtIn)
  const nodes = recordResource(cluster, writtenNodes(cluster, nodeResource, cache, builtIn), deps)
  recorders.set(nodeResource.name, nodes)
  stops.push(
    watchNodes(cluster, cache, () => nodes.changed()),
    deps.customKinds.follow(cluster, (each) => watch([each], custom)),
  )
  return {
    stop() {
      for (const stop of stops) stop()
      for (const recorder of recorders.values()) recorder.stop()
    },
  }
}

function watchNodes(cluster: ObservedCluster, cache: WatchCache, onChange: () => void): () => void {
  let version: number | undefined
  const check = () => {
    const next = observation.cache().version(['nodes'])
    if (next === version) return
    version = next
    onChange()
  }
  const observation = cache.observe(cluster, check)
  check()
  return observation.stop
}
