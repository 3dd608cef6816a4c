import type { Cluster } from '../api/context.ts'
import { numberAt, textAt, type JsonObject } from '../json.ts'
import { badRequest } from '../status-error.ts'
import { daemonSets, nodes } from '../types.ts'
import type { Scenario } from './scenarios.ts'

/**
 * What each machine and each pod bring along, as counted in a sandbox: leases, statuses and the events of the first
 * minutes. A little more than that, since a scenario that stops half-way is worth nothing.
 */
const each = {
  machine: { objects: 11, bytes: 12_000 },
  pod: { objects: 8, bytes: 10_000 },
  object: { objects: 4, bytes: 4_000 },
}

type ScenarioSize = { machines: number; pods: number; objects: number; bytes: number }

/** What a scenario would add to what there is. */
function scenarioSize(cluster: Cluster, { nodes: machines, objects }: Scenario): ScenarioSize {
  const { store } = cluster
  const added = Math.max(0, (machines?.count ?? 0) - store.count(nodes.key))
  const missing = objects.filter((object) => !isThere(cluster, object))
  const replicas = missing.reduce((sum, object) => sum + (numberAt(object, 'spec', 'replicas') ?? 0), 0)
  const pods = replicas + added * store.count(daemonSets.key)
  const total = (of: 'objects' | 'bytes') =>
    added * each.machine[of] + pods * each.pod[of] + missing.length * each.object[of]
  return { machines: added, pods, objects: total('objects'), bytes: total('bytes') }
}

/** Throws 400 with what the scenario needs and what there is room for, before anything is made. */
export function requireRoom(cluster: Cluster, name: string, scenario: Scenario): void {
  const { store, limits } = cluster
  const size = scenarioSize(cluster, scenario)
  const roomOf = (most: number, held: number) => Math.max(0, most - held)
  const objects = roomOf(limits.maxObjects, store.size)
  const bytes = roomOf(limits.maxStoredBytes, store.bytes)
  const [needed, room] =
    size.objects > objects
      ? [`${counted(size.objects)} objects`, `${counted(objects)} more of its ${counted(limits.maxObjects)}`]
      : [inMebibytes(size.bytes), `${inMebibytes(bytes)} more of its ${inMebibytes(limits.maxStoredBytes)}`]
  if (size.objects <= objects && size.bytes <= bytes) return
  throw badRequest(
    `The scenario "${name}" makes ${counted(size.machines)} machines and ${counted(size.pods)} pods, which take about ${needed}; this sandbox has room for ${room}. Play a smaller scenario, delete something, or ask the operator to raise the limit.`,
  )
}

function isThere({ registry, store }: Cluster, object: JsonObject): boolean {
  const kind = registry.byType(textAt(object, 'apiVersion') ?? '', textAt(object, 'kind') ?? '')
  const name = textAt(object, 'metadata', 'name') ?? ''
  return (
    kind !== undefined && store.get(kind, textAt(object, 'metadata', 'namespace') ?? '', name) !== undefined
  )
}

function counted(count: number): string {
  return count.toLocaleString('en')
}

function inMebibytes(bytes: number): string {
  return `${counted(Math.round(bytes / 1024 ** 2))} MiB`
}
