import {
  type CallOutput,
  healthStates,
  type ParsedInput,
  parseResourceQuery,
  resourceKinds,
  type ResourceMark,
  resourceMarks,
  type ResourceTerm,
} from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { InventoryAsk, Resource } from '../../platform/inventory.ts'
import { type Inventory, present, type ReadInventory } from './inventory.ts'
import { hasMark, matcherOf, type MatchContext } from './match.ts'
import { firstInOrder, orderOf } from './order.ts'
import { sentenceOf, whyNothing } from './sentence.ts'
import { askedTraits, createTraitCounter, leastMatches, sharedTraits } from './shared.ts'

/** The words of a query. Throws AppError `invalid_request` with the sentence that says what is wrong with it. */
export function termsOf(query: string): ResourceTerm[] {
  const parsed = parseResourceQuery(query)
  if ('terms' in parsed) return parsed.terms
  const { message } = parsed.problem
  throw new AppError('invalid_request', message, { errors: [{ path: 'query', message }] })
}

/** The matches of a query, in no order. */
export function matchesOf(
  { resources, taggings }: Inventory,
  terms: readonly ResourceTerm[],
  context: MatchContext,
): readonly Resource[] {
  if (terms.length === 0) return resources
  const isMatch = matcherOf(terms, context)
  return resources.filter((each) => isMatch(each, taggings.get(each.id)))
}

/** One page of what matches, and what can be said of all matches, from one reading. */
export function createSearch(read: ReadInventory, clock: Clock) {
  return async (
    ask: InventoryAsk,
    query: ParsedInput<'resources.list'>['query'],
  ): Promise<CallOutput<'resources.list'>> => {
    const { sort, order, page, limit } = query
    const terms = termsOf(query.query)
    const now = clock.now()
    const context = { userId: ask.userId, now }
    const inventory = await read(ask)
    const { resources, taggings } = inventory
    const matches = matchesOf(inventory, terms, context)
    const first = firstInOrder(matches, orderOf(sort, order), page * limit)
    const counts = countAll(matches)
    const nothing =
      matches.length === 0 && resources.length > 0
        ? whyNothing(query.query, terms, resources, taggings, context)
        : undefined
    const sentence = sentenceOf(
      terms,
      { matching: matches.length, of: resources.length, failing: counts.health.get('failing') ?? 0 },
      countKinds(resources),
      counts.places,
    )
    return {
      resources: first.slice((page - 1) * limit).map((each) => present(each, inventory)),
      total: matches.length,
      page,
      limit,
      sentence: nothing?.sentence ?? sentence,
      suggestion: nothing?.suggestion ?? null,
      of: resources.length,
      kinds: resourceKinds.flatMap(({ kind }) => {
        const count = counts.kinds.get(kind)
        return count === undefined ? [] : [{ kind, count }]
      }),
      health: [...healthStates, 'none' as const].map((state) => ({
        state,
        count: counts.health.get(state) ?? 0,
      })),
      marks: countMarks(inventory),
      shared: sharedBy(inventory, matches, terms),
      clusters: clustersOf(resources),
      gaps: [...inventory.gaps],
      asOf: now.toISOString(),
    }
  }
}

const mostClusters = 100

/** Clusters that things lie in, by title. */
function clustersOf(resources: readonly Resource[]): { id: number; title: string }[] {
  const all = new Map<number, string>()
  for (const { kind, cluster } of resources)
    if (cluster && kind === 'node') all.set(cluster.id, cluster.title)
  return [...all]
    .map(([id, title]) => ({ id, title }))
    .toSorted((a, b) => (a.title < b.title ? -1 : 1))
    .slice(0, mostClusters)
}

function countAll(matches: readonly Resource[]) {
  const kinds = countKinds(matches)
  const health = new Map<string, number>()
  const places = new Set<string>()
  for (const { health: own, cluster } of matches) {
    const state = own?.state ?? 'none'
    health.set(state, (health.get(state) ?? 0) + 1)
    places.add(cluster?.title ?? '')
  }
  if (places.has('')) places.clear()
  return { kinds, health, places }
}

function countKinds(all: readonly Resource[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind } of all) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

function countMarks({ resources, taggings }: Inventory): { mark: ResourceMark; count: number }[] {
  const counts: Record<ResourceMark, number> = {
    failing: 0,
    orphaned: 0,
    untagged: 0,
    unowned: 0,
    stale: 0,
    oversized: 0,
    exposed: 0,
  }
  for (const each of resources) {
    const tagging = taggings.get(each.id)
    if (hasMark('failing', each, tagging)) counts.failing += 1
    if (hasMark('untagged', each, tagging)) counts.untagged += 1
    if (hasMark('unowned', each, tagging)) counts.unowned += 1
    for (const mark of each.marks) counts[mark] += 1
  }
  return resourceMarks.map((mark) => ({ mark, count: counts[mark] }))
}

/** What the matches share and the others do not: others of the same kinds, where the query names kinds. */
function sharedBy(
  { resources, taggings }: Inventory,
  matches: readonly Resource[],
  terms: readonly ResourceTerm[],
): CallOutput<'resources.list'>['shared'] {
  if (terms.length === 0) return { rows: [], others: 0 }
  const ofKinds = terms.filter((term) => term.key === 'kind' && !term.isNegated)
  const kinds = new Set(ofKinds.flatMap((term) => (term.key === 'kind' ? term.values : [])))
  const skipped = askedTraits(terms)
  const matching = createTraitCounter(skipped)
  const others = createTraitCounter(skipped)
  if (matches.length < leastMatches) return { rows: [], others: 0 }
  // Matches stand in the order of all.
  let next = 0
  for (const each of resources) {
    const tagging = taggings.get(each.id)
    if (each === matches[next]) {
      next += 1
      matching.add(each, tagging)
    } else if (kinds.size === 0 || kinds.has(each.kind)) others.add(each, tagging)
  }
  const rest = others.finish()
  return { rows: sharedTraits(matching.finish(), rest), others: rest.count }
}
