import type { Page } from '@playwright/test'

export type Frames = {
  count: number
  longestMs: number
  /** The longest that the page itself worked on one frame: scripts, style and layout, as the browser measures them. */
  longestWorkMs: number
  longestTaskMs: number
}

/** What the frames of a page were like for a time, and of the page alone. */
export function observeFrames(page: Page, durationMs: number): Promise<Frames> {
  return page.evaluate(async (ms) => {
    const longest = { 'long-animation-frame': 0, longtask: 0 }
    const types = ['long-animation-frame', 'longtask'] as const
    const observers = types.map((type) => {
      const observer = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longest[type] = Math.max(longest[type], duration)
      })
      observer.observe({ type })
      return observer
    })
    const startedAt = performance.now()
    let last = startedAt
    let count = 0
    let longestMs = 0
    while (last - startedAt < ms) {
      const now = await new Promise<number>((resolve) =>
        requestAnimationFrame(() => resolve(performance.now())),
      )
      longestMs = Math.max(longestMs, now - last)
      last = now
      count += 1
    }
    for (const observer of observers) observer.disconnect()
    return {
      count,
      longestMs,
      longestWorkMs: longest['long-animation-frame'],
      longestTaskMs: longest.longtask,
    }
  }, durationMs)
}
