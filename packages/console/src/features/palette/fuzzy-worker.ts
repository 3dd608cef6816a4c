import Fuse from 'fuse.js'
import { minQueryLength, weights } from './scorer.ts'

/** What can be misspelt of an item. */
export interface FuzzyEntry {
  id: string
  title: string
  description: string
  category: string
}

export type FuzzyRequest =
  | { kind: 'index'; entries: readonly FuzzyEntry[] }
  | { kind: 'search'; query: string }

export interface FuzzyReply {
  query: string
  /** Best first. */
  ids: readonly string[]
}

const threshold = 0.3
const maxMatches = 50

const fuse = new Fuse<FuzzyEntry>([], {
  threshold,
  minMatchCharLength: minQueryLength,
  keys: Object.entries(weights).map(([name, weight]) => ({ name, weight })),
})

self.addEventListener('message', ({ data }: MessageEvent<FuzzyRequest>) => {
  if (data.kind === 'index') {
    fuse.setCollection(data.entries)
    return
  }
  const found = fuse.search(data.query, { limit: maxMatches })
  self.postMessage({ query: data.query, ids: found.map(({ item }) => item.id) } satisfies FuzzyReply)
})
