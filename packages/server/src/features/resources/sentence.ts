import { nearestWord, queryValue, resourceKindOf, type ResourceTerm } from '@bey/contract'
import type { Resource } from '../../platform/inventory.ts'
import { matcherOf, type MatchContext, pairOf, type Taggings } from './match.ts'

type Counts = { matching: number; of: number; failing: number }

/** One sentence about what matches, in the words of the query's kind where it names one. */
export function sentenceOf(
  terms: readonly ResourceTerm[],
  { matching, of, failing }: Counts,
  ofKinds: ReadonlyMap<string, number>,
  places: ReadonlySet<string>,
): string {
  if (of === 0) return 'No resources yet. Create a cluster, or connect one that exists.'
  if (terms.length === 0) {
    const trouble =
      failing === 0 ? 'None is failing.' : `${number(failing)} ${failing === 1 ? 'is' : 'are'} failing.`
    return `${number(of)} ${of === 1 ? 'resource' : 'resources'}. ${trouble}`
  }
  const kinds = terms.flatMap((term) => (term.key === 'kind' && !term.isNegated ? [term.values] : []))
  const [values] = kinds
  const one = kinds.length === 1 && values?.length === 1 ? resourceKindOf(values[0] ?? '') : undefined
  const total = one ? (ofKinds.get(one.kind) ?? 0) : of
  const noun = one ? (total === 1 ? one.singular : one.plural) : total === 1 ? 'resource' : 'resources'
  const start = `${number(matching)} of ${number(total)} ${noun} ${matching === 1 ? 'matches' : 'match'}`
  const [place] = places
  const where = matching > 1 && places.size === 1 && place !== undefined ? `: all in ${place}` : ''
  const trouble =
    failing === 0 || failing === matching
      ? ''
      : ` ${number(failing)} of them ${failing === 1 ? 'is' : 'are'} failing.`
  return `${start}${where}.${trouble}`
}

const number = (value: number) => value.toLocaleString('en')

/** Why nothing matches, and another query that would. */
export function whyNothing(
  query: string,
  terms: readonly ResourceTerm[],
  all: readonly Resource[],
  taggings: Taggings,
  context: MatchContext,
): { sentence: string; suggestion: string | null } {
  for (const term of terms) {
    if (term.isNegated) continue
    const isMatch = matcherOf([term], context)
    if (all.some((each) => isMatch(each, taggings.get(each.id)))) continue
    const word = query.slice(term.start, term.end)
    const nearest = nearestValue(term, all, taggings)
    const start = `Nothing matches ${word}.`
    if (nearest === undefined) return { sentence: start, suggestion: null }
    const replaced = `${query.slice(0, term.start)}${nearest}${query.slice(term.end)}`
    return { sentence: `${start} Did you mean ${nearest}?`, suggestion: replaced }
  }
  return {
    sentence: 'Each word matches something, but nothing matches all of them. Remove a word.',
    suggestion: null,
  }
}

/** The word with the nearest value that resources have. */
function nearestValue(term: ResourceTerm, all: readonly Resource[], taggings: Taggings): string | undefined {
  const values = new Map<string, string>()
  const add = (text: string) => values.set(text.toLowerCase(), text)
  const wanted = wantedText(term)
  if (wanted === undefined) return undefined
  for (const each of all) {
    if (term.key === 'cluster' && each.cluster) add(each.cluster.title)
    if (term.key === 'namespace' && each.namespace !== null) add(each.namespace)
    if (term.key === 'label') for (const pair of Object.entries(each.labels)) add(pair.join('='))
  }
  for (const { tags, owner } of taggings.values()) {
    if (term.key === 'label') for (const tag of tags) add(pairOf(tag).join('='))
    if (term.key === 'owner' && owner) add(owner.name)
  }
  const nearest = nearestWord(wanted, [...values.keys()].slice(0, mostCompared))
  const found = nearest === undefined ? undefined : values.get(nearest)
  return found === undefined ? undefined : `${term.key}:${queryValue(found)}`
}

/** Each comparison takes the product of both lengths. */
const mostCompared = 2_000

function wantedText(term: ResourceTerm): string | undefined {
  if (term.key === 'label') {
    const [first] = term.values
    return first && `${first.name}=${first.value ?? ''}`
  }
  if (term.key === 'cluster' || term.key === 'namespace' || term.key === 'owner') return term.values[0]
  return undefined
}
