import type { Page } from '@playwright/test'

/** What the first visit of a page took. */
export interface Load {
  contentMs: number
  /** When nothing long runs any more after the content is there. */
  interactiveMs: number
  longestMs: number
  /** CPU time of the main thread until then, which a busy machine does not lengthen. */
  cpuMs: number
}

/** How long after the content a task still counts as part of loading it. */
const settleMs = 700

/** Opens a page, and measures until an element is there and nothing long runs any more. */
export async function firstUse(page: Page, url: string, content: string): Promise<Load> {
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.addInitScript((selector) => {
    const tasks: { from: number; to: number }[] = []
    Object.assign(globalThis, { tasks, contentMs: 0 })
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        tasks.push({ from: startTime, to: startTime + duration })
    }).observe({ type: 'longtask', buffered: true })
    new MutationObserver((_, observer) => {
      if (!document.querySelector(selector)) return
      observer.disconnect()
      requestAnimationFrame(() =>
        setTimeout(() => Object.assign(globalThis, { contentMs: performance.now() })),
      )
    }).observe(document, { childList: true, subtree: true })
  }, content)
  await page.goto(url)
  await page.waitForFunction(() => Number(Reflect.get(globalThis, 'contentMs')) > 0)
  await page.waitForTimeout(settleMs)
  const { metrics } = await client.send('Performance.getMetrics')
  await client.detach()
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  const times = await page.evaluate((withinMs) => {
    const contentMs = Number(Reflect.get(globalThis, 'contentMs'))
    const tasks = Reflect.get(globalThis, 'tasks') as { from: number; to: number }[]
    const ends = tasks.flatMap(({ from, to }) => (from < contentMs + withinMs ? [to] : []))
    return {
      contentMs,
      interactiveMs: Math.max(contentMs, ...ends),
      longestMs: Math.max(0, ...tasks.map(({ from, to }) => to - from)),
    }
  }, settleMs)
  return { ...times, cpuMs: seconds * 1_000 }
}
