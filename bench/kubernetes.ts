import type { Browser, CDPSession, Page } from '@playwright/test'
import { fillWithPods } from './fill-sandbox.ts'
import { firstRows } from './first-rows.ts'
import { clustersRun, importCluster, until } from './imported-clusters.ts'
import { type OutsideSandbox, startOutsideSandbox } from './outside-sandbox.ts'
import { report } from './figure.ts'
import { debuggable, liveHeapMb } from './live-heap.ts'
import { longestTaskCpuMs } from './main-thread.ts'
import { visitorOf } from './page-load.ts'
import { median, percentile, processMemoryMb } from './process-figures.ts'
import { withBrowser } from './with-browser.ts'

const events = 10_000
const otherClusters = 14
const viewers = 10
const visits = 5
/** Of the random ends of pods' names, so that each key changes the rows. */
const keys = '2456789bcdfghjklmqrstvwxz'
const changes = 60
const changesPerSecond = 50
/** `npm run bench kubernetes -- --short` watches changes for one minute. */
const churnMinutes = process.argv.includes('--short') ? 1 : 10

/** A cluster of 10,000 pods among 15, imported by kubeconfig: its pod list in the browser, and what the server keeps of it. */
export async function run(): Promise<void> {
  const large = await startOutsideSandbox('large', 0)
  const small = await startOutsideSandbox('small', 1)
  try {
    await withBrowser(
      async ({ bey, browser, session }) => {
        await fill(large)
        for (let index = 1; index <= otherClusters; index += 1)
          await importCluster(session, small, `small-${index}`)
        await clustersRun(session, otherClusters)
        const beforeMb = { live: await liveHeapMb(bey), process: processMemoryMb(bey.pid) }
        const clusterId = await importCluster(session, large, 'large')
        await clustersRun(session, otherClusters + 1)
        const visitor = await visitorOf(browser, session)
        // The first reader of a cluster is measured by the bench of lists.
        await until('the first lists are read', async () => {
          const params = { id: clusterId }
          const pods = await session.client.call('kubernetes.pods', { params, query: {} })
          const events = await session.client.call('kubernetes.events', { params, query: {} })
          return !pods.isPartial && !events.isPartial
        })
        const newPage = async () => {
          const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
          await page.addInitScript((items) => {
            for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
          }, visitor)
          return page
        }
        const url = `${bey.url}/kubernetes/clusters/${clusterId}/pods`

        const firsts: { ms: number; listKb: number }[] = []
        for (let visit = 0; visit < visits; visit += 1) {
          const page = await newPage()
          firsts.push(await firstVisit(page, url))
          await page.context().close()
        }
        report({
          name: 'first rows of the pod list',
          value: median(firsts.map(({ ms }) => ms)),
          unit: 'ms',
          goal: 500,
          detail: 'a returning visitor, without a browser cache; the lists of the cluster have been read',
        })
        report({
          name: 'first rows of the pod list, transferred',
          value: median(firsts.map(({ listKb }) => listKb)),
          unit: 'KB',
          goal: 100,
        })

        const page = await newPage()
        await firstRows(page, url)
        const keyed = await keystrokes(page)
        report({
          name: 'keystroke → rows, p95',
          value: percentile(keyed, 0.95),
          unit: 'ms',
          goal: 100,
          detail: `median ${median(keyed).toFixed(0)} ms, the first ${(keyed[0] ?? Number.NaN).toFixed(0)} ms, ${keyed.length} keys`,
        })
        report({
          name: 'change → row on screen, p95',
          value: percentile(await changesSeen(page, large, url), 0.95),
          unit: 'ms',
          goal: 300,
        })

        const pages = [page]
        while (pages.length < viewers) {
          const another = await newPage()
          await firstRows(another, url)
          pages.push(another)
        }
        report({
          name: `watches of pods with ${viewers} viewers`,
          value: await large.watches('pods'),
          unit: '',
          goal: 1,
        })
        for (const each of pages.slice(1)) await each.context().close()

        await page.goto(url)
        await rowsShown(page)
        const churned = await churn(browser, page, large)
        report({
          name: `heap growth in ${churnMinutes} min of changes`,
          value: churned.grownMb,
          unit: 'MB',
          goal: 20,
          detail: `${churned.perSecond.toFixed(0)} changes/s`,
        })
        report({ name: 'longest task meanwhile', value: churned.longestTaskMs, unit: 'ms', goal: 50 })
        report({ name: 'longest task in 20 s, CPU time', value: churned.longestCpuMs, unit: 'ms', goal: 50 })
        const uncollectedMb = processMemoryMb(bey.pid) - beforeMb.process
        report({
          name: 'live heap of the server for the caches of the cluster',
          value: (await liveHeapMb(bey)) - beforeMb.live,
          unit: 'MB',
          goal: 300,
        })
        report({
          name: 'growth of its process, after a garbage collection',
          value: processMemoryMb(bey.pid) - beforeMb.process,
          unit: 'MB',
          goal: 300,
          detail: `${uncollectedMb.toFixed(0)} MB before it`,
        })
      },
      { env: debuggable, browserArgs: ['--enable-precise-memory-info'] },
    )
  } finally {
    await large.stop()
    await small.stop()
  }
}

/** 1,000 machines, 10,000 pods that run, and 10,000 events. */
async function fill(sandbox: OutsideSandbox): Promise<void> {
  await fillWithPods(sandbox)
  const counted = JSON.parse(await sandbox.send('GET', '/api/v1/events?limit=1')) as {
    metadata: { remainingItemCount?: number }
  }
  const there = (counted.metadata.remainingItemCount ?? 0) + 1
  for (let index = there; index < events; index += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, offset) => event(sandbox, index + offset)))
  }
}

function event(sandbox: OutsideSandbox, index: number): Promise<string> {
  const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  return sandbox.send('POST', '/api/v1/namespaces/load/events', {
    metadata: { name: `bench.${index}`, namespace: 'load' },
    involvedObject: { kind: 'Deployment', name: `app-${1 + (index % 20)}`, namespace: 'load' },
    reason: 'Measured',
    message: `Event ${index} of a benchmark`,
    type: 'Normal',
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
  })
}

const rowsShown = (page: Page) => page.locator('tbody tr[data-row]').first().waitFor()

/** From the navigation to the first row, and the bytes of the answers of the cluster's lists on the wire. */
async function firstVisit(page: Page, url: string): Promise<{ ms: number; listKb: number }> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  const paths = new Map<string, string>()
  let bytes = 0
  client.on('Network.responseReceived', ({ requestId, response }) => paths.set(requestId, response.url))
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (/\/api\/kubernetes\/clusters\/\d+\/pods/.test(paths.get(requestId) ?? '')) bytes += encodedDataLength
  })
  const ms = await firstRows(page, url)
  await client.detach()
  return { ms, listKb: bytes / 1024 }
}

/**
 * From each key to the frame in which the list is another, milliseconds. The names of its rows and how many match tell
 * lists apart: ages and states change by themselves.
 */
async function keystrokes(page: Page): Promise<number[]> {
  const times: number[] = []
  await page.evaluate(() => {
    addEventListener(
      'keydown',
      () => {
        const startedAt = performance.now()
        const rows = () => {
          const names = [...document.querySelectorAll('tbody tr[data-row] a')].map((link) => link.textContent)
          return [...names, document.querySelector('#foot')?.textContent].join()
        }
        const before = rows()
        const look = () => {
          if (rows() === before) return void requestAnimationFrame(look)
          requestAnimationFrame(() => Object.assign(globalThis, { keyMs: performance.now() - startedAt }))
        }
        requestAnimationFrame(look)
      },
      { capture: true },
    )
  })
  const filter = page.getByRole('searchbox', { name: 'Filter pods' })
  for (const key of keys) {
    await filter.fill('')
    await page.waitForTimeout(600)
    await page.evaluate(() => Object.assign(globalThis, { keyMs: 0 }))
    await filter.press(key)
    // A key that changes no row is none of those that are measured.
    await page
      .waitForFunction(() => Number(Reflect.get(globalThis, 'keyMs')) > 0, undefined, { timeout: 3000 })
      .catch(() => undefined)
    const ms = await page.evaluate(() => Number(Reflect.get(globalThis, 'keyMs')))
    if (ms > 0) times.push(ms)
  }
  await filter.fill('')
  return times
}

/** From sending a change to the cluster itself to the frame that shows its row, milliseconds. */
async function changesSeen(page: Page, sandbox: OutsideSandbox, url: string): Promise<number[]> {
  await page.goto(`${url}?q=probe`)
  await page.getByText('Nothing matches').waitFor()
  const times: number[] = []
  for (let index = 0; index < changes; index += 1) {
    const name = `probe-${index}`
    const seen = page.evaluate(
      (text) =>
        new Promise<number>((done) => {
          const look = () => {
            if (document.querySelector('main')?.textContent?.includes(text))
              done(performance.timeOrigin + performance.now())
            else requestAnimationFrame(look)
          }
          look()
        }),
      name,
    )
    const sentAt = performance.timeOrigin + performance.now()
    await sandbox.send('POST', '/api/v1/namespaces/load/pods', {
      metadata: { name },
      spec: { containers: [{ name: 'app', image: 'nginx:1.29' }] },
    })
    times.push((await seen) - sentAt)
    await sandbox.send('DELETE', `/api/v1/namespaces/load/pods/${name}?gracePeriodSeconds=0`)
  }
  return times
}

/** Changes labels of pods at a steady pace with the list open. */
async function churn(browser: Browser, page: Page, sandbox: OutsideSandbox) {
  const { items } = JSON.parse(await sandbox.send('GET', '/api/v1/namespaces/load/pods?limit=500')) as {
    items: { metadata: { name: string } }[]
  }
  const client = await page.context().newCDPSession(page)
  const change = (index: number) =>
    sandbox.send('PATCH', `/api/v1/namespaces/load/pods/${items[index % items.length]?.metadata.name}`, {
      metadata: { labels: { round: String(index) } },
    })
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { longTasks: tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask' })
  })
  let sent = 0
  const changeFor = async (ms: number) => {
    const startedAt = performance.now()
    const before = sent
    while (performance.now() - startedAt < ms) {
      const due = before + Math.floor(((performance.now() - startedAt) / 1000) * changesPerSecond)
      const batch: Promise<string>[] = []
      while (sent < due) batch.push(change(sent++))
      await Promise.all(batch)
      await new Promise((done) => setTimeout(done, 20))
    }
    return ((sent - before) / (performance.now() - startedAt)) * 1000
  }
  // What grows once, such as caches of the browser, has grown then.
  await changeFor(10_000)
  const beforeMb = await heapMb(client)
  const perSecond = await changeFor(churnMinutes * 60_000)
  const longest = await page.evaluate(() =>
    Math.max(0, ...(Reflect.get(globalThis, 'longTasks') as number[])),
  )
  const grownMb = (await heapMb(client)) - beforeMb
  // Apart from the rest: what is traced is kept.
  const longestCpuMs = await longestTaskCpuMs(browser, page, () => changeFor(20_000))
  return { perSecond, grownMb, longestTaskMs: longest, longestCpuMs }
}

async function heapMb(client: CDPSession): Promise<number> {
  await client.send('HeapProfiler.collectGarbage')
  const { usedSize } = await client.send('Runtime.getHeapUsage')
  return usedSize / 1024 / 1024
}
