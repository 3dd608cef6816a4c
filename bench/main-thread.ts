import type { Browser, Page } from '@playwright/test'

type TraceEvent = {
  name: string
  ph: string
  pid: number
  tid: number
  tdur?: number
  args?: { name?: string }
}

/**
 * CPU time of the longest task of a page's main thread while `work` runs, in milliseconds. Other programs on the machine
 * make tasks last longer, but not dearer.
 */
export async function longestTaskCpuMs(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<number> {
  await browser.startTracing(page, { categories: ['toplevel'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  )
  let longestUs = 0
  for (const event of traceEvents) {
    const isTask = event.ph === 'X' && event.name.endsWith('RunTask') && mains.has(threadOf(event))
    if (isTask) longestUs = Math.max(longestUs, event.tdur ?? 0)
  }
  return longestUs / 1000
}
