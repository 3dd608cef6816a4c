import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { BeySession } from '../tools/api-session.ts'

/** What a page load cost, from the address to the end of its first idle moment. */
export interface PageLoad {
  requests: number
  /** Of these, until the largest text of the page was painted. */
  requestsToContent: number
  /** What these are: "12 scripts, 5 reads, 1 style". */
  kindsToContent: string
  /** Reads that were asked more than once. */
  repeatedReads: number
  /** Which. */
  repeated: string
  /** JavaScript that came before the content, as gzip. */
  scriptKb: number
  fcpMs: number
  contentMs: number
  shift: number
  blockedMs: number
  heapMb: number
}

/** A processor four times slower and a connection of 10 Mbit/s with 40 ms to the server and back. */
const slow = { processor: 4, bytesPerSecond: 10_000_000 / 8, latencyMs: 40 }

interface Observed {
  fcp: number
  content: number
  shift: number
  blocked: number
}
type Watched = { observed: Observed }

/** Loads an address in a browser without a cache; `warm` loads it a second time and measures that. */
export async function loadPage(
  browser: Browser,
  url: string,
  visitor: Readonly<Record<string, string>>,
  { isSlow = false, isWarm = false } = {},
): Promise<PageLoad> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    await context.addInitScript((items) => {
      for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
    }, visitor)
    if (isWarm) {
      const before = await context.newPage()
      await before.goto(url)
      await before.waitForLoadState('networkidle')
      await before.close()
    }
    return await measured(context, url, isSlow)
  } finally {
    await context.close()
  }
}

async function measured(context: BrowserContext, url: string, isSlow: boolean): Promise<PageLoad> {
  const page = await context.newPage()
  await observe(page)
  const client = await context.newCDPSession(page)
  if (isSlow) {
    await client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: slow.latencyMs,
      downloadThroughput: slow.bytesPerSecond,
      uploadThroughput: slow.bytesPerSecond,
    })
    await client.send('Emulation.setCPUThrottlingRate', { rate: slow.processor })
  }
  const scripts = new Map<string, () => Promise<Buffer>>()
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), () => response.body())
  })
  await page.goto(url)
  // No locator: it would look through the page in every frame, and its time be taken for the page's.
  await page.waitForLoadState('networkidle')
  const { observed, loaded } = await page.evaluate(() => ({
    observed: (globalThis as unknown as Watched).observed,
    loaded: performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })),
  }))
  const early = loaded.filter(({ startTime }) => startTime <= observed.content)
  const reads = loaded
    .filter(({ name }) => new URL(name).pathname.startsWith('/api/'))
    .map(({ name }) => name)
  // Packed only now: while the page loads it would take the time that is measured.
  const earlyScripts = early.flatMap(({ name }) => scripts.get(name) ?? [])
  const bodies = await Promise.all(earlyScripts.map((body) => body()))
  await client.send('HeapProfiler.collectGarbage')
  const { usedSize } = await client.send('Runtime.getHeapUsage')
  return {
    requests: 1 + loaded.length,
    requestsToContent: 1 + early.length,
    kindsToContent: kindsOf(early),
    repeatedReads: reads.length - new Set(reads).size,
    repeated: reads.filter((read, index) => reads.indexOf(read) !== index).join(', '),
    scriptKb: bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1024,
    fcpMs: observed.fcp,
    contentMs: observed.content,
    shift: observed.shift,
    blockedMs: observed.blocked,
    heapMb: usedSize / 1024 / 1024,
  }
}

/** How many of each kind, as the addresses say. */
function kindsOf(loaded: readonly { name: string }[]): string {
  const counts = Map.groupBy(loaded, ({ name }) => {
    const { pathname } = new URL(name)
    if (pathname.startsWith('/api/')) return 'reads'
    return /\.(\w+)$/.exec(pathname)?.[1] ?? 'others'
  })
  return ['1 html', ...[...counts].map(([kind, { length }]) => `${length} ${kind}`)].join(', ')
}

/** The first paint of a page without any code, from the same server. */
export async function firstPaint(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage()
  await observe(page)
  await page.goto(url)
  await page.waitForFunction(() => (globalThis as unknown as Watched).observed.fcp > 0)
  const fcp = await page.evaluate(() => (globalThis as unknown as Watched).observed.fcp)
  await page.close()
  return fcp
}

/** The local storage of a returning visitor: token and cached user. */
export async function visitorOf(
  browser: Browser,
  { baseUrl, token }: BeySession,
): Promise<Record<string, string>> {
  const page = await browser.newPage()
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), token)
  await page.goto(baseUrl)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  const kept = await page.evaluate(
    () => Object.fromEntries(Object.entries(localStorage)) as Record<string, string>,
  )
  await page.close()
  return kept
}

/** Installs the browser's own observers before the page runs. */
async function observe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const observed = { fcp: 0, content: 0, shift: 0, blocked: 0 }
    Object.assign(globalThis, { observed })
    const watch = (
      type: string,
      note: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
    ) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
    watch('paint', (entry) => {
      if (entry.name === 'first-contentful-paint') observed.fcp = entry.startTime
    })
    watch('largest-contentful-paint', (entry) => (observed.content = entry.startTime))
    watch('layout-shift', (entry) => (observed.shift += entry.hadRecentInput ? 0 : (entry.value ?? 0)))
    watch('longtask', (entry) => (observed.blocked += Math.max(0, entry.duration - 50)))
  })
}
