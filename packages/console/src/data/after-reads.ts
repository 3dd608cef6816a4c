import type { QueryClient } from '@tanstack/react-query'

/** A read that takes longer, such as one of a cluster that does not answer, keeps nothing else waiting. */
const longestMs = 2_000
/** The first draws what has come; when the second comes, it has been drawn. */
const framesToDraw = 2

/**
 * Calls back once nothing is being read and what was read is drawn: a page with its heading, and no skeleton. After two
 * seconds at the latest, as in a tab that nobody looks at. Returns the way to stop.
 */
export function afterReads(cache: QueryClient, run: () => void): () => void {
  let quietFrames = 0
  const stop = () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
  }
  const finish = () => {
    stop()
    run()
  }
  const check = () => {
    // What has come is rendered first, and may ask for more.
    const isComplete = cache.isFetching() === 0 && isShown()
    quietFrames = isComplete ? quietFrames + 1 : 0
    if (quietFrames > framesToDraw) finish()
    else frame = requestAnimationFrame(check)
  }
  const timer = setTimeout(finish, longestMs)
  let frame = requestAnimationFrame(check)
  return stop
}

function isShown(): boolean {
  return document.querySelector('h1') !== null && document.querySelector('[data-skeleton]') === null
}
