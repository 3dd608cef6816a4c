import type { QueryClient } from '@tanstack/react-query'

/** A read that takes longer, such as one of a cluster that does not answer, keeps nothing else waiting. */
const longestMs = 2_000

/**
 * Calls back once nothing is being read and what was read is painted, after two seconds at the latest. Returns the way
 * to stop.
 */
export function afterReads(cache: QueryClient, run: () => void): () => void {
  let frame = 0
  const finish = () => {
    stop()
    run()
  }
  // What has come is rendered first, and may ask for more.
  const look = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      if (cache.isFetching() === 0) finish()
    })
  }
  const unsubscribe = cache.getQueryCache().subscribe(look)
  const timer = setTimeout(finish, longestMs)
  const stop = () => {
    unsubscribe()
    clearTimeout(timer)
    cancelAnimationFrame(frame)
  }
  look()
  return stop
}
