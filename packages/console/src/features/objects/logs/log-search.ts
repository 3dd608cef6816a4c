import type { Entry } from '../../../entities/kubernetes/logs/log-store.ts'

export interface SearchOptions {
  text: string
  isCaseSensitive: boolean
  isRegex: boolean
}

/** What finds a search in lines; undefined for an empty one. `error` says why a regular expression is none. */
export function searchPattern({ text, isCaseSensitive, isRegex }: SearchOptions): {
  pattern: RegExp | undefined
  error: string | undefined
} {
  if (text === '') return { pattern: undefined, error: undefined }
  const source = isRegex ? text : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  try {
    return { pattern: new RegExp(source, isCaseSensitive ? 'g' : 'gi'), error: undefined }
  } catch (error) {
    return { pattern: undefined, error: error instanceof Error ? error.message : 'Not a regular expression' }
  }
}

function matches(pattern: RegExp, entry: Entry): boolean {
  if (entry.kind !== 'line') return false
  pattern.lastIndex = 0
  return pattern.test(entry.text)
}

/** The parts of a text, found ones marked. Empty matches are none. */
export function marked(text: string, pattern: RegExp | undefined): { text: string; isFound: boolean }[] {
  if (!pattern) return [{ text, isFound: false }]
  const parts: { text: string; isFound: boolean }[] = []
  let end = 0
  pattern.lastIndex = 0
  for (const match of text.matchAll(pattern)) {
    if (match[0] === '') continue
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isFound: false })
    parts.push({ text: match[0], isFound: true })
    end = match.index + match[0].length
    if (parts.length > 200) break
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), isFound: false })
  return parts
}

/**
 * Ids of the entries that a search finds, kept up with a growing list: only what is new is looked at. What is asked
 * about another list or pattern begins anew.
 */
export function createMatcher() {
  let pattern: RegExp | undefined
  let list: readonly Entry[] | undefined
  let looked = 0
  let ids: number[] = []

  return {
    ids(next: RegExp | undefined, entries: readonly Entry[]): readonly number[] {
      if (next?.source !== pattern?.source || next?.flags !== pattern?.flags || entries !== list) {
        pattern = next
        list = entries
        looked = 0
        ids = []
      }
      if (!next) return ids
      if (looked < entries.length) {
        const found: number[] = []
        for (let index = looked; index < entries.length; index += 1) {
          const entry = entries[index]
          if (entry && matches(next, entry)) found.push(entry.id)
        }
        looked = entries.length
        if (found.length > 0) ids = [...ids, ...found]
      }
      return ids
    },
  }
}

/** The match after or before an entry, going round at the ends. */
export function nextMatch(
  ids: readonly number[],
  from: number | undefined,
  step: 1 | -1,
): number | undefined {
  if (ids.length === 0) return undefined
  if (from === undefined) return step === 1 ? ids[0] : ids.at(-1)
  const found = step === 1 ? ids.find((id) => id > from) : ids.findLast((id) => id < from)
  return found ?? (step === 1 ? ids[0] : ids.at(-1))
}
