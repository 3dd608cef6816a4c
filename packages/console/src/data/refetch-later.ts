import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { hashKey } from '@tanstack/react-query'
import { markOld, refetch } from './api-query.ts'

/** What events make old is read again after this long, and up to twice of it. */
const soonMs = 1_000

const due = new Set<string>()

/**
 * Marks everything below a key as old, and reads again once in 1 to 2 s what is on screen then: one change is often
 * several events. At random, so that a thousand open pages do not all ask at once.
 */
export function refetchSoon(cache: QueryClient, queryKey: QueryKey): void {
  markOld(cache, { queryKey })
  const key = hashKey(queryKey)
  if (due.has(key)) return
  due.add(key)
  setTimeout(
    () => {
      due.delete(key)
      // What a screen has read meanwhile, such as one that was opened, is not old any more.
      void cache.refetchQueries({ queryKey, type: 'active', predicate: ({ state }) => state.isInvalidated })
    },
    soonMs * (1 + Math.random()),
  )
}

const waiting = new Map<string, { isAgain: boolean }>()

/**
 * Reads something again at once, and from then on at most once in `everyMs` however often it is asked: for replies that
 * are large, of what somebody watches.
 */
export function refetchAtMost(cache: QueryClient, queryKey: QueryKey, everyMs: number): void {
  const key = hashKey(queryKey)
  const known = waiting.get(key)
  if (known) {
    known.isAgain = true
    return
  }
  const state = { isAgain: false }
  waiting.set(key, state)
  refetch(cache, { queryKey })
  setTimeout(() => {
    waiting.delete(key)
    if (state.isAgain) refetchAtMost(cache, queryKey, everyMs)
  }, everyMs)
}
