/** Weights of the fields, for the scorer and for typo matches alike. */
export const weights = { title: 0.6, description: 0.3, category: 0.1 } as const

/** Shorter queries match beginnings of words only. */
export const minQueryLength = 2

type Field = keyof typeof weights
type Searchable = { [F in Field]: string }

const fields: readonly Field[] = ['title', 'description', 'category']

/** Things to search, lower-cased once. */
export interface SearchIndex<T> {
  entries: readonly { item: T; texts: readonly string[] }[]
}

export function searchIndex<T extends Searchable>(items: readonly T[]): SearchIndex<T> {
  return {
    entries: items.map((item) => ({ item, texts: fields.map((field) => item[field].toLowerCase()) })),
  }
}

/** What contains the query, best first; equals keep their order. Typos are left to the worker. */
export function quickSearch<T>(index: SearchIndex<T>, query: string): T[] {
  const needle = query.trim().toLowerCase()
  if (needle === '') return []
  const words = needle.split(/\s+/)
  const found: { item: T; score: number; place: number }[] = []
  for (const [place, { item, texts }] of index.entries.entries()) {
    const score = scoreOf(texts, needle, words)
    if (score > 0) found.push({ item, score, place })
  }
  found.sort((one, other) => other.score - one.score || one.place - other.place)
  return found.map(({ item }) => item)
}

function scoreOf(texts: readonly string[], needle: string, words: readonly string[]): number {
  let best = 0
  for (const [at, field] of fields.entries()) {
    const score = weights[field] * fieldScore(texts[at] ?? '', needle)
    if (score > best) best = score
  }
  if (best > 0 || words.length === 1) return best
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
    if (!/[a-z0-9]/.test(text[at - 1] ?? '')) return 0.75
    at = text.indexOf(needle, at + 1)
  }
  return isInside ? 0.5 : 0
}
