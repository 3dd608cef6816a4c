import { healthRank, resourceKinds } from '@bey/contract'
import type { Resource } from '../../platform/inventory.ts'

export type ResourceSort = 'health' | 'name' | 'kind' | 'cluster' | 'createdAt'
type Compare = (a: Resource, b: Resource) => number

const kindPlaces = new Map(resourceKinds.map(({ kind }, index) => [kind, index]))
const placeOf = ({ kind }: Resource) => kindPlaces.get(kind) ?? kindPlaces.size
/** What has no health stands last. */
const rankOf = ({ health }: Resource) => (health === null ? 9 : healthRank(health.state))

/** By code unit; null last. */
function byText(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -1 : 1
}

const byName: Compare = (a, b) => byText(a.name, b.name)
const byKind: Compare = (a, b) => placeOf(a) - placeOf(b)

const orders: Record<ResourceSort, Compare> = {
  // Among equals the trouble that began last.
  health: (a, b) => rankOf(a) - rankOf(b) || byText(b.health?.since ?? null, a.health?.since ?? null),
  name: byName,
  kind: byKind,
  cluster: (a, b) =>
    byText(a.cluster?.title ?? null, b.cluster?.title ?? null) || byText(a.namespace, b.namespace),
  createdAt: (a, b) => byText(a.createdAt, b.createdAt),
}

/** A total order, so that pages neither repeat nor leave out. Without a direction, times begin with the newest. */
export function orderOf(sort: ResourceSort, direction: 'asc' | 'desc' | undefined): Compare {
  const compare = orders[sort]
  const isDescending = (direction ?? (sort === 'createdAt' ? 'desc' : 'asc')) === 'desc'
  return (a, b) => {
    const main = compare(a, b)
    return (isDescending ? -main : main) || byKind(a, b) || byName(a, b) || byText(a.id, b.id)
  }
}

/**
 * The first `count` in order, found without sorting the others: a page of 100,000 resources costs a comparison each
 * and a few insertions.
 */
export function firstInOrder(all: readonly Resource[], compare: Compare, count: number): Resource[] {
  if (count * 4 >= all.length) return all.toSorted(compare).slice(0, count)
  const first: Resource[] = []
  for (const each of all) {
    const last = first[count - 1]
    if (last !== undefined && compare(each, last) >= 0) continue
    let [low, high] = [0, first.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = first[middle]
      if (other !== undefined && compare(other, each) < 0) low = middle + 1
      else high = middle
    }
    first.splice(low, 0, each)
    if (first.length > count) first.pop()
  }
  return first
}
