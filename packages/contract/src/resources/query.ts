import { type HealthState, healthStates } from '../base/health.ts'
import { nearestWord } from '../base/nearest-word.ts'
import { resourceKinds } from './kinds.ts'
import { type ResourceMark, resourceMarks } from './marks.ts'

/** Bounds of a query, and of what one of its words can list. */
export const resourceQueryLimits = { length: 500, terms: 30, values: 30 } as const

const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** A word of a query: where it stands in the text, and whether a minus negates it. */
type Place = { start: number; end: number; isNegated: boolean }

/** A pattern of a name: in lower case, `*` stands for any characters. */
type Pattern = string

/** What one word of a query asks for. Values of a word are alternatives; all words must hold. */
export type ResourceTerm = Place &
  (
    | { key: 'text'; values: Pattern[] }
    | { key: 'name' | 'cluster' | 'namespace' | 'owner'; values: Pattern[] }
    | { key: 'kind'; values: string[] }
    | { key: 'health'; values: (HealthState | 'none')[] }
    | { key: 'is'; values: ResourceMark[] }
    /** `value` undefined: the label or tag is there, whatever its value. */
    | { key: 'label'; values: { name: string; value: Pattern | undefined }[] }
    | { key: 'created'; values: { isYounger: boolean; thanMs: number }[] }
    /** Ends within a time, or later than that. What has ended is within every time. */
    | { key: 'expires'; values: { isSooner: boolean; withinMs: number }[] }
  )

/** Why a query cannot be read, as a sentence, and the part of its text that it is about. */
export type QueryProblem = { message: string; start: number; end: number }

export type ParsedResourceQuery = { terms: ResourceTerm[] } | { problem: QueryProblem }

/** Keys of a query as people write them, with what each one asks for. */
export const resourceQueryKeys = [
  { key: 'kind', about: 'pod, deployment, secret …' },
  { key: 'health', about: 'failing, degraded, unknown, starting, healthy, none' },
  { key: 'is', about: resourceMarks.join(', ') },
  { key: 'label', about: 'a label or tag, as name or name=value' },
  { key: 'tag', about: 'the same as label' },
  { key: 'owner', about: 'me, none, or part of a name' },
  { key: 'cluster', about: 'name of a cluster' },
  { key: 'namespace', about: 'name of a namespace' },
  { key: 'name', about: 'the whole name; * stands for any characters' },
  { key: 'created', about: '<7d or >30d' },
  { key: 'expires', about: '<14d or >90d; of secrets, API keys and certificates' },
] as const

const keys = resourceQueryKeys.map(({ key }): string => key)

/**
 * Reads a query such as `kind:pod health:failing label:team=shop -namespace:kube-system web`. Words without a key are
 * parts of the name, a minus negates, quotes keep spaces and colons together, commas separate alternatives.
 */
export function parseResourceQuery(text: string): ParsedResourceQuery {
  const { length, terms: mostTerms } = resourceQueryLimits
  if (text.length > length) {
    const message = `A query has at most ${length} characters; this one has ${text.length}.`
    return { problem: { message, start: length, end: text.length } }
  }
  const terms: ResourceTerm[] = []
  for (const word of wordsOf(text)) {
    if ('message' in word) return { problem: word }
    if (terms.length === mostTerms) {
      return { problem: problemAt(word, `A query has at most ${mostTerms} words. Remove some.`) }
    }
    const term = termOf(word)
    if ('message' in term) return { problem: term }
    terms.push(term)
  }
  return { terms }
}

type Word = Place & { key: string | undefined; values: string[] }

const problemAt = ({ start, end }: { start: number; end: number }, message: string): QueryProblem => ({
  message,
  start,
  end,
})

/** Words between spaces outside of quotes, each split at its first colon and at commas. */
function* wordsOf(text: string): Iterable<Word | QueryProblem> {
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at += 1
      continue
    }
    const start = at
    const isNegated = text.charAt(at) === '-' && /\S/.test(text.charAt(at + 1))
    if (isNegated) at += 1
    let key: string | undefined
    const values: string[] = []
    let value = ''
    let quote: number | undefined
    for (; at < text.length; at += 1) {
      const letter = text.charAt(at)
      if (letter === '"') quote = quote === undefined ? at : undefined
      else if (quote !== undefined) value += letter
      else if (/\s/.test(letter)) break
      else if (letter === ':' && key === undefined) [key, value] = [value, '']
      else if (letter === ',' && key !== undefined) {
        values.push(value)
        value = ''
      } else value += letter
    }
    if (quote !== undefined) {
      yield { message: 'A quotation mark is not closed. Add a second one.', start: quote, end: text.length }
      return
    }
    values.push(value)
    yield { start, end: at, isNegated, key, values: values.filter((each) => each !== '') }
  }
}

function termOf(word: Word): ResourceTerm | QueryProblem {
  const { key, start, end, isNegated } = word
  const place = { start, end, isNegated }
  const values = word.values.map((each) => each.toLowerCase())
  if (key === undefined) {
    if (values.length === 0) return problemAt(place, 'Write a part of a name between the quotation marks.')
    return { ...place, key: 'text', values }
  }
  const known = key.toLowerCase()
  if (!keys.includes(known)) {
    const nearest = nearestWord(known, keys)
    const advice = nearest
      ? `Did you mean ${nearest}:?`
      : `Keys are ${keys.join(', ')}; put quotes around a name with a colon.`
    return problemAt(place, `There is no key "${key}". ${advice}`)
  }
  if (values.length === 0) {
    return problemAt(place, `Write a value after ${known}: – ${aboutOf(known)}.`)
  }
  if (values.length > resourceQueryLimits.values) {
    return problemAt(place, `A word has at most ${resourceQueryLimits.values} values.`)
  }
  return valuesOf(known, values, place)
}

const aboutOf = (key: string) => resourceQueryKeys.find((each) => each.key === key)?.about ?? ''

function valuesOf(key: string, values: string[], place: Place): ResourceTerm | QueryProblem {
  switch (key) {
    case 'kind':
      return among(place, values, kindNames, 'kind', (kinds) => ({ ...place, key, values: kinds }))
    case 'health':
      return among(place, values, [...healthStates, 'none'] as const, 'health', (states) => ({
        ...place,
        key,
        values: states,
      }))
    case 'is':
      return among(place, values, resourceMarks, 'state', (marks) => ({ ...place, key, values: marks }))
    case 'created':
    case 'expires':
      return ages(place, key, values)
    case 'tag':
    case 'label':
      return { ...place, key: 'label', values: values.map(labelOf) }
    case 'owner':
    case 'name':
    case 'cluster':
    case 'namespace':
      return { ...place, key, values }
    default:
      return problemAt(place, `There is no key "${key}".`)
  }
}

const kindNames = resourceKinds.map(({ kind }) => kind)

/** Values of a closed list; the problem names the first one that is not among them, and the nearest that is. */
function among<T extends string>(
  place: Place,
  values: readonly string[],
  known: readonly T[],
  noun: string,
  make: (found: T[]) => ResourceTerm,
): ResourceTerm | QueryProblem {
  const found: T[] = []
  for (const value of values) {
    const same = known.find((each) => each === value || (noun === 'kind' && `${each}s` === value))
    if (same === undefined) {
      const nearest = nearestWord(value, known)
      const advice = nearest ? `Did you mean ${nearest}?` : `Known are ${known.join(', ')}.`
      return problemAt(place, `There is no ${noun} "${value}". ${advice}`)
    }
    found.push(same)
  }
  return make(found)
}

function labelOf(text: string): { name: string; value: Pattern | undefined } {
  const at = text.indexOf('=')
  return at === -1 ? { name: text, value: undefined } : { name: text.slice(0, at), value: text.slice(at + 1) }
}

function ages(
  place: Place,
  key: 'created' | 'expires',
  values: readonly string[],
): ResourceTerm | QueryProblem {
  const found: { isYounger: boolean; thanMs: number }[] = []
  for (const value of values) {
    const match = /^([<>])(\d{1,5})([mhdw])$/.exec(value)
    if (!match) {
      return problemAt(
        place,
        key === 'created'
          ? `"${value}" is no age. Write created:<7d for the last seven days or created:>30d for older things; units are m, h, d and w.`
          : `"${value}" is no duration. Write expires:<14d for what ends within 14 days; units are m, h, d and w.`,
      )
    }
    const [, sign, count, unit = 'd'] = match
    // The expression lets no other unit through.
    found.push({ isYounger: sign === '<', thanMs: Number(count) * unitMs[unit as keyof typeof unitMs] })
  }
  if (key === 'created') return { ...place, key, values: found }
  return {
    ...place,
    key,
    values: found.map(({ isYounger, thanMs }) => ({ isSooner: isYounger, withinMs: thanMs })),
  }
}

/** A value as a query writes it: in quotes where it would otherwise be read as something else. */
export function queryValue(value: string): string {
  return /[\s:,"]|^-/.test(value) ? `"${value.replaceAll('"', '')}"` : value
}
