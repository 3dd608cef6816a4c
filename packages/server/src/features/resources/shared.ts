import { queryValue, type ResourceTerm } from '@bey/contract'
import type { Resource } from '../../platform/inventory.ts'
import type { Tagging } from './match.ts'

/** What a resource can share with others. `term` is the word of a query that asks for it. */
type Trait = { label: string; value: string; term: string }
export type SharedTrait = Trait & { matching: number; others: number }

/** Fewer matches share something by chance. */
export const leastMatches = 5
/** By how much the share among the matches must be larger, and how many are shown. */
const leastDifference = 0.4
const mostRows = 4

/**
 * Counts traits of resources. Each set of labels once, since replicas share theirs; by the texts as they are, for a text
 * made for each of 100,000 resources costs more than all the rest.
 */
export function createTraitCounter(skipped: ReadonlySet<string>) {
  const byLabel = new Map<string, Map<string, number>>()
  const tableOf = (label: string) => {
    const table = byLabel.get(label) ?? new Map<string, number>()
    byLabel.set(label, table)
    return table
  }
  const [kinds, clusters, namespaces, states, owners, tags, labels] = [
    tableOf('kind'),
    tableOf('cluster'),
    tableOf('namespace'),
    tableOf('health'),
    tableOf('owner'),
    tableOf('tag'),
    tableOf('label'),
  ]
  const labelSets = new Map<Resource['labels'], number>()
  let count = 0
  return {
    add(resource: Resource, tagging: Tagging | undefined): void {
      count += 1
      increase(kinds, resource.kind)
      if (resource.cluster) increase(clusters, resource.cluster.title)
      if (resource.namespace !== null) increase(namespaces, resource.namespace)
      if (resource.health) increase(states, resource.health.state)
      labelSets.set(resource.labels, (labelSets.get(resource.labels) ?? 0) + 1)
      if (!tagging) return
      if (tagging.owner) increase(owners, tagging.owner.name)
      for (const tag of tagging.tags) increase(tags, tag)
    },
    finish(): { count: number; counts: ReadonlyMap<string, number> } {
      for (const [set, times] of labelSets) {
        for (const [name, value] of Object.entries(set)) increase(labels, `${name}=${value}`, times)
      }
      const counts = new Map<string, number>()
      for (const [label, table] of byLabel) {
        if (skipped.has(label)) continue
        for (const [value, times] of table) counts.set(`${label}\n${value}`, times)
      }
      return { count, counts }
    },
  }
}

function increase(table: Map<string, number>, value: string, by = 1): void {
  table.set(value, (table.get(value) ?? 0) + by)
}

type Counted = ReturnType<ReturnType<typeof createTraitCounter>['finish']>

/** Traits that the query already asks for, which all matches have. */
export function askedTraits(terms: readonly ResourceTerm[]): ReadonlySet<string> {
  return new Set(
    terms.flatMap(({ key, isNegated, ...term }): string[] => {
      if (isNegated) return []
      if (key === 'is' && (term.values as readonly string[]).includes('failing')) return ['health']
      return key === 'label' ? ['label', 'tag'] : [key]
    }),
  )
}

/** What at least so many of the matches share and few of the others do, the greatest difference first. */
export function sharedTraits(matches: Counted, others: Counted): SharedTrait[] {
  if (matches.count < leastMatches || others.count === 0) return []
  const rows: (SharedTrait & { difference: number })[] = []
  for (const [key, matching] of matches.counts) {
    const other = others.counts.get(key) ?? 0
    const difference = matching / matches.count - other / others.count
    if (difference >= leastDifference) rows.push({ ...traitOf(key), matching, others: other, difference })
  }
  return rows
    .toSorted((a, b) => b.difference - a.difference || (a.term < b.term ? -1 : 1))
    .slice(0, mostRows)
    .map(({ label, value, term, matching, others }) => ({ label, value, term, matching, others }))
}

function traitOf(key: string): Trait {
  const at = key.indexOf('\n')
  const [label, value] = [key.slice(0, at), key.slice(at + 1)]
  return { label, value, term: `${label}:${queryValue(value)}` }
}
