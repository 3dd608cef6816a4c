import { type RelatedResource, relationLimits, resourceKindOf } from '@bey/contract'
import type { Resource } from '../../platform/inventory.ts'
import type { Snapshot } from './snapshot.ts'

export function presentResource(resource: Resource): RelatedResource {
  const { id, kind, name, cluster, namespace, health, href } = resource
  return { id, kind, name, cluster, namespace, health: health?.state ?? null, href }
}

export function presentReading({ asOf, gaps }: Snapshot) {
  return { asOf, gaps: [...gaps] }
}

/** `1 pod`, `3 pods`. */
export function countOfKind(kind: string, count: number): string {
  const words = resourceKindOf(kind)
  return `${count} ${(count === 1 ? words?.singular : words?.plural) ?? kind}`
}

const maxKindsNamed = 4

/** `2 pods, 1 service`, the most frequent kind first; `and 3 others` for what is left. */
export function countsOfKinds(kinds: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const ordered = [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const named = ordered.slice(0, maxKindsNamed).map(([kind, count]) => countOfKind(kind, count))
  const others = ordered.slice(maxKindsNamed).reduce((sum, [, count]) => sum + count, 0)
  return [...named, ...(others === 0 ? [] : [others === 1 ? '1 other' : `${others} others`])].join(', ')
}

/** Resources that are known, at most as many as one list shows, with all of them in words. */
export function presentGroup({ resources }: Snapshot, ids: readonly string[]) {
  const found = ids.flatMap((id) => resources.get(id) ?? [])
  return {
    total: found.length,
    text: countsOfKinds(found.map(({ kind }) => kind)),
    rows: found.slice(0, relationLimits.rows).map(presentResource),
  }
}

/** By kind as kinds are listed, then by cluster, namespace and name. */
export function byPlace(a: Resource, b: Resource): number {
  return (
    byText(a.cluster?.title ?? '', b.cluster?.title ?? '') ||
    byText(a.namespace ?? '', b.namespace ?? '') ||
    byText(a.name, b.name) ||
    byText(a.id, b.id)
  )
}

export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
