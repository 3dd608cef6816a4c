import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { hashKey } from '@tanstack/react-query'

const waiting = new Map<string, { isAgain: boolean }>()

/**
 * Reads something again at once, and from then on at most once in `everyMs` however often it is asked: for replies that
 * are large, or that many events concern.
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
  void cache.invalidateQueries({ queryKey })
  setTimeout(() => {
    waiting.delete(key)
    if (state.isAgain) refetchAtMost(cache, queryKey, everyMs)
  }, everyMs)
}
