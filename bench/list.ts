import type { Page } from '@playwright/test'
import { clusterCount, withLargeOrganization } from './large-organization.ts'
import type { LargeOrganization } from './large-organization.ts'
import { median } from './process-figures.ts'
import { report } from './figure.ts'
import { firstRows } from './first-rows.ts'
import { measurePodLists } from './pod-lists.ts'

const visits = 7
const scrollSteps = 60
const causes = {
  firstRowsMs: 'the code is loaded and run before the first row: see how little the list of 10 saves',
  frameMs: 'rows that come into view are drawn in the frame that shows them',
  heapMb: 'the code, and the pages that were scrolled through',
}

/**
 * The list of 10,000 clusters: first rows, scrolling and memory, against the same list of 10. The list of 10,000 pods of a
 * sandbox: its first reader against the next.
 */
export async function run(): Promise<void> {
  await withLargeOrganization(async (large, small) => {
    const few = await figuresOf(small)
    const many = await figuresOf(large)
    const all = [
      { name: `first rows of ${clusterCount} clusters`, key: 'firstRowsMs', unit: 'ms', goal: 600 },
      { name: 'main thread a frame while scrolling', key: 'frameMs', unit: 'ms', goal: 8 },
      { name: 'heap', key: 'heapMb', unit: 'MB', goal: 40 },
    ] as const
    for (const { key, ...figure } of all) {
      const detail = `${(many[key] / few[key]).toFixed(2)} × the list of 10`
      report({ ...figure, value: many[key], detail, cause: causes[key] })
    }
  })
  await measurePodLists()
}

async function figuresOf(organization: LargeOrganization) {
  const times: number[] = []
  let last = { frameMs: 0, heapMb: 0 }
  for (let visit = 0; visit < visits; visit += 1) {
    const page = await organization.newPage()
    times.push(await firstRows(page, `${organization.url}/kubernetes/clusters`))
    if (visit === visits - 1) last = await atWork(page)
    await page.context().close()
  }
  return { firstRowsMs: median(times), ...last }
}

/** Main-thread time of a frame while the list is scrolled to its end and back, and what the page holds afterwards. */
async function atWork(page: Page): Promise<{ frameMs: number; heapMb: number }> {
  await page.waitForLoadState('networkidle')
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable')
  const busyMs = async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await busyMs()
  await page.evaluate(async (steps) => {
    const boxes = [...document.querySelectorAll<HTMLElement>('[data-table], #main')]
    const box = boxes.find((each) => each.scrollHeight > each.clientHeight) ?? document.body
    for (let step = 0; step < steps; step += 1) {
      box.scrollBy(0, step < steps / 2 ? 120 : -120)
      await new Promise((done) => requestAnimationFrame(done))
    }
  }, scrollSteps)
  const frameMs = ((await busyMs()) - before) / scrollSteps
  await client.send('HeapProfiler.collectGarbage')
  const { usedSize } = await client.send('Runtime.getHeapUsage')
  return { frameMs, heapMb: usedSize / 1024 / 1024 }
}
