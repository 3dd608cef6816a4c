import { onceFor } from '../../lib/once-for.ts'

/** Weights of the fields, for the scorer and for typo matches alike. */
export const weights = { title: 0.6, description: 0.3, category: 0.1 } as const

/** Shorter queries match beginnings of words only. */
export const minQueryLength = 2

type Field = keyof typeof weights
type Searchable = { [F in Field]: string }

const fields: readonly Field[] = ['title', 'description', 'category']

interface Entry<T> {
  item: T
  /** Lower-cased, by field. */
  texts: readonly string[]
  /** All of them, a line each: what this lacks none of them has. */
  whole: string
}

/** Things to search. */
export interface SearchIndex<T> {
  entries: readonly Entry<T>[]
  /** The last search: further typing searches within its results. */
  last: { needle: string; found: readonly Entry<T>[] }
}

export function searchIndex<T extends Searchable>(items: readonly T[]): SearchIndex<T> {
  const entries = items.map((item) => ({ item, ...textsOf(item) }))
  return { entries, last: { needle: '', found: entries } }
}

// An item that is listed again, as at the next opening, keeps its texts.
const textsOf = onceFor((item: Searchable) => {
  const texts = fields.map((field) => item[field].toLowerCase())
  return { texts, whole: texts.join('\n') }
})

/** What contains the query, best first; equals keep their order. Typos are left to the worker. */
export function quickSearch<T>(index: SearchIndex<T>, query: string): T[] {
  const needle = query.trim().toLowerCase()
  if (needle === '') return []
  const words = needle.split(/\s+/)
  const found: Entry<T>[] = []
  const byScore = new Map<number, T[]>()
  for (const entry of candidatesOf(index, needle)) {
    const score = scoreOf(entry, needle, words)
    if (score === 0) continue
    found.push(entry)
    const equals = byScore.get(score)
    if (equals) equals.push(entry.item)
    else byScore.set(score, [entry.item])
  }
  index.last = { needle, found }
  return [...byScore].toSorted(([one], [other]) => other - one).flatMap(([, items]) => items)
}

/** What contains a needle contains its beginning, unless a word of that was so short that it found less. */
function candidatesOf<T>({ entries, last }: SearchIndex<T>, needle: string): readonly Entry<T>[] {
  const isLonger = needle.startsWith(last.needle)
  return isLonger && last.needle.split(/\s+/).every((word) => word.length >= minQueryLength)
    ? last.found
    : entries
}

function scoreOf({ texts, whole }: Entry<unknown>, needle: string, words: readonly string[]): number {
  if (whole.includes(needle)) {
    // The least that a field can score is no less than the most of the next one.
    for (const [at, field] of fields.entries()) {
      const score = weights[field] * fieldScore(texts[at] ?? '', needle)
      if (score > 0) return score
    }
  }
  if (words.length === 1 || !words.every((word) => whole.includes(word))) return 0
  // Words may stand in any order and in different fields: "cluster create", "prod 1.33".
  const areAllThere = words.every((word) => texts.some((text) => fieldScore(text, word) > 0))
  return areAllThere ? weights.category * 0.5 : 0
}

/** 1 the whole text, 0.9 its beginning, 0.75 a word's beginning, 0.5 anywhere, 0 nowhere. */
function fieldScore(text: string, needle: string): number {
  let at = text.indexOf(needle)
  if (at < 0) return 0
  if (at === 0) return text.length === needle.length ? 1 : 0.9
  const isInside = needle.length >= minQueryLength
  while (at > 0) {
    if (!isWordSign(text.charCodeAt(at - 1))) return 0.75
    at = text.indexOf(needle, at + 1)
  }
  return isInside ? 0.5 : 0
}

/** a–z and 0–9; the text is lower-cased. */
const isWordSign = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
