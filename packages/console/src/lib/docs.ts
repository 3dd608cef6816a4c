/** Part of a sentence of the documentation. */
export type Inline =
  | string
  | { kind: 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; of: Inline[] }
  | { kind: 'link'; href: string; of: Inline[] }

/** A block of a page of the documentation, as its Markdown says. Tables and examples are numbered within the page. */
export type Block =
  | { kind: 'heading'; level: number; id: string; of: Inline[] }
  | { kind: 'paragraph'; of: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Block[][] }
  | { kind: 'table'; number: number; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; number: number; text: string }
  | { kind: 'quote'; of: Block[] }

export interface DocPage {
  /** Below `/docs/`: `guides/roll-back`. */
  slug: string
  title: string
  /** Its first paragraph as plain text. */
  summary: string
}

export interface DocSection {
  name: string
  pages: readonly DocPage[]
}

/** What stands below one heading, to be searched. `id` is empty above the first one. */
export interface DocPassage {
  slug: string
  page: string
  id: string
  heading: string
  text: string
}

export interface DocHit extends DocPassage {
  /** The words around the first match in the text; empty where only the heading matches. */
  excerpt: string
}

const maxHits = 20
const excerptLength = 140

/**
 * Passages that hold every word of the query, or, where none does, as many of them as any does; those with words in their heading
 * or page first. `isWhole`: only those that hold every word.
 */
export function searchDocs(
  passages: readonly DocPassage[],
  query: string,
  { isWhole = false } = {},
): DocHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const scored = passages.map((passage) => ({ passage, ...scoreOf(passage, words) }))
  const most = isWhole ? words.length : Math.max(0, ...scored.map(({ held }) => held))
  return scored
    .filter(({ held }) => held > 0 && held === most)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxHits)
    .map(({ passage }) => ({ ...passage, excerpt: excerptOf(passage.text, words) }))
}

/** How many words are held, and how well. The beginning of a word counts more than its middle. */
function scoreOf({ heading, page, text }: DocPassage, words: readonly string[]) {
  const places = [
    { text: heading.toLowerCase(), weight: 8 },
    { text: page.toLowerCase(), weight: 4 },
    { text: text.toLowerCase(), weight: 1 },
  ]
  const scores = words.map((word) =>
    Math.max(...places.map((place) => place.weight * matchOf(place.text, word))),
  )
  return {
    held: scores.filter((score) => score > 0).length,
    score: scores.reduce((sum, each) => sum + each, 0),
  }
}

function matchOf(text: string, word: string): number {
  const at = text.indexOf(word)
  if (at === -1) return 0
  return at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1)) ? 2 : 1
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const at = Math.min(...words.map((word) => lower.indexOf(word)).filter((index) => index !== -1))
  if (!Number.isFinite(at)) return ''
  const begin = text.lastIndexOf(' ', Math.max(0, at - excerptLength / 3)) + 1
  const end = begin + excerptLength
  return `${begin > 0 ? '…' : ''}${text.slice(begin, end).trim()}${end < text.length ? '…' : ''}`
}

/** Text without its looks. */
export function plainInline(parts: readonly Inline[]): string {
  return parts
    .map((part) =>
      typeof part === 'string' ? part : part.kind === 'code' ? part.text : plainInline(part.of),
    )
    .join('')
}
