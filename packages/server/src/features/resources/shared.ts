import { queryValue, type ResourceTerm } from '@bey/contract'
import type { Resource } from '../../platform/inventory.ts'
import type { Tagging } from './match.ts'

/** What a resource can share with others. `term` is the word of a query that asks for it. */
type Trait = { label: string; value: string; term: string }
export type SharedTrait = Trait & { matching: number; others: number }

/** Fewer matches share something by chance. */
const leastMatches = 5
/** By how much the share among the matches must be larger, and how many are shown. */
const leastDifference = 0.4
const mostRows = 4

/** Counts traits of resources; each set of labels once, since replicas share theirs. */
export function createTraitCounter(skipped: ReadonlySet<string>) {
  const counts = new Map<string, number>()
  const labelSets = new Map<Resource['labels'], number>()
  let count = 0
  const add = (trait: string, by = 1) => counts.set(trait, (counts.get(trait) ?? 0) + by)
  return {
    add(resource: Resource, tagging: Tagging | undefined): void {
      count += 1
      const { kind, cluster, namespace, health, labels } = resource
      add(`kind\n${kind}`)
      if (cluster) add(`cluster\n${cluster.title}`)
      if (namespace !== null) add(`namespace\n${namespace}`)
      if (health) add(`health\n${health.state}`)
      labelSets.set(labels, (labelSets.get(labels) ?? 0) + 1)
      if (!tagging) return
      if (tagging.owner) add(`owner\n${tagging.owner.name}`)
      for (const tag of tagging.tags) add(`tag\n${tag}`)
    },
    finish(): { count: number; counts: ReadonlyMap<string, number> } {
      for (const [labels, times] of labelSets) {
        for (const [name, value] of Object.entries(labels)) add(`label\n${name}=${value}`, times)
      }
      for (const trait of counts.keys()) {
        if (skipped.has(trait.slice(0, trait.indexOf('\n')))) counts.delete(trait)
      }
      return { count, counts }
    },
  }
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
