import {
  type HealthState,
  type Relation,
  type RelationBox,
  relationLimits,
  resourceKinds,
} from '@bey/contract'
import type { Resource } from '../../platform/inventory.ts'
import { kindOf } from './graph/impact.ts'
import { byPlace } from './present.ts'

const rank: Record<HealthState, number> = { failing: 4, degraded: 3, unknown: 2, starting: 1, healthy: 0 }

/**
 * One box a kind, in the order in which kinds are listed, with a tick a resource. Where that were too many, a tick stands
 * for several neighbours and has the worst health and the last change of them.
 */
export function boxesOf(resources: readonly Resource[], changes: ReadonlyMap<string, string>): RelationBox[] {
  const byKind = new Map<string, Resource[]>()
  for (const resource of resources) {
    const found = byKind.get(resource.kind)
    if (found) found.push(resource)
    else byKind.set(resource.kind, [resource])
  }
  return resourceKinds.flatMap(({ kind }): RelationBox[] => {
    const members = byKind.get(kind)
    if (!members) return []
    members.sort(byPlace)
    return [
      {
        kind,
        total: members.length,
        failing: members.filter(({ health }) => health?.state === 'failing').length,
        changed: members.filter(({ id }) => changes.has(id)).length,
        ticks: ticksOf(members, changes, ticksFor(members.length, resources.length)),
      },
    ]
  })
}

/** At least a few for each kind; together not many more than are drawn. */
function ticksFor(count: number, total: number): number {
  const { ticksOfKind, drawn } = relationLimits
  const share = total <= drawn ? count : Math.max(20, Math.floor((drawn * count) / total))
  return Math.min(count, ticksOfKind, share)
}

function ticksOf(
  members: readonly Resource[],
  changes: ReadonlyMap<string, string>,
  count: number,
): RelationBox['ticks'] {
  const size = Math.ceil(members.length / Math.max(1, count))
  const ticks: RelationBox['ticks'] = []
  for (let start = 0; start < members.length; start += size) {
    const some = members.slice(start, start + size)
    const [first] = some
    if (!first) continue
    const states = some.flatMap(({ health }) => health?.state ?? [])
    const changed = some.flatMap(({ id }) => changes.get(id) ?? []).toSorted()
    ticks.push({
      id: first.id,
      name: first.name,
      health: states.toSorted((a, b) => rank[b] - rank[a])[0] ?? null,
      changedAt: changed.at(-1) ?? null,
      count: some.length,
    })
  }
  return ticks
}

const maxBoxEdges = 500

/** Relations counted by the kinds at their ends and their verb, the most frequent first. */
export function boxEdges(relations: readonly Relation[]) {
  const counts = new Map<string, { from: string; to: string; verb: Relation['verb']; count: number }>()
  for (const relation of relations) {
    const { verb } = relation
    const [from, to] = [kindOf(relation.from), kindOf(relation.to)]
    const key = `${from}\n${to}\n${verb}`
    const found = counts.get(key)
    if (found) found.count += 1
    else counts.set(key, { from, to, verb, count: 1 })
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count).slice(0, maxBoxEdges)
}
