import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import type { Browser, Page, Response } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { median } from './process-figures.ts'

const budgetEntryBytes = 130 * 1024
const budgetRouteBytes = 60 * 1024

/** Bytes of the console's first page, and its paint times against those of a bare page from the same server. */
export async function run(): Promise<void> {
  const bey = await startBey()
  const browser = await chromium.launch({
    executablePath: process.env['BEY_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const person = {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      password: 'difference-engine-1!',
      organization: 'Analytical Engines',
    }
    const { token } = await signUpByApi(bey.url, person)
    const kept = await visitor(browser, bey.url, token)
    const runs = []
    for (let i = 0; i < 7; i += 1) runs.push(await measure(browser, bey.url, kept))
    const bare = []
    for (let i = 0; i < 7; i += 1) bare.push(await firstPaintOfBarePage(browser, `${bey.url}/health`))
    const first = runs[0]
    if (!first) throw new Error('No run was measured.')
    const requests = median(runs.map((each) => each.requests))
    const lcp = median(runs.map((each) => each.lcpMs))
    console.log(
      `  entry JS          ${(first.entryBytes / 1024).toFixed(1)} KB gz = ${(first.entryBytes / budgetEntryBytes).toFixed(2)} of its budget`,
    )
    console.log(
      `  route's own JS    ${(first.routeBytes / 1024).toFixed(1)} KB gz = ${(first.routeBytes / budgetRouteBytes).toFixed(2)} of its budget`,
    )
    console.log(
      `  requests to LCP   ${requests} = ${(requests / 20).toFixed(2)} of their budget; ${first.scripts} scripts`,
    )
    console.log(`  FCP               ${median(runs.map((each) => each.fcpMs)).toFixed(0)} ms`)
    console.log(
      `  LCP               ${lcp.toFixed(0)} ms = ${(lcp / median(bare)).toFixed(1)} × the first paint of a bare JSON page`,
    )
    console.log(`  CLS               ${median(runs.map((each) => each.cls)).toFixed(4)}`)
    console.log(`  TBT               ${median(runs.map((each) => each.tbtMs)).toFixed(0)} ms`)
    console.log(`  heap              ${median(runs.map((each) => each.heapMb)).toFixed(1)} MB`)
  } finally {
    await browser.close()
    await bey.stop()
    removeData(bey)
  }
}

/** What a browser keeps of somebody who was here before: token and cached user. */
async function visitor(browser: Browser, url: string, token: string): Promise<Record<string, string>> {
  const page = await browser.newPage()
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), token)
  await page.goto(url)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  const kept = await page.evaluate(
    () => Object.fromEntries(Object.entries(localStorage)) as Record<string, string>,
  )
  await page.close()
  return kept
}

async function measure(browser: Browser, url: string, kept: Record<string, string>) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
  }, kept)
  const page = await context.newPage()
  const scripts = new Map<string, Response>()
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.set(response.url(), response)
  })
  await observe(page)
  await page.goto(url)
  // No locator: it would look through the page in every frame, and its time be taken for the page's.
  await page.waitForLoadState('networkidle')
  const figures = await page.evaluate(() => (globalThis as unknown as { figures: Figures }).figures)
  if (figures.heading === 0) throw new Error('The page has no heading.')
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })),
  )
  // What the document itself names is asked for at once; the route's own chunks when the first of it runs.
  const document = await (await fetch(url)).text()
  const named = [...document.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(
    (match) => new URL(match[1] ?? '', url).href,
  )
  const early = loaded.filter(({ name, startTime }) => scripts.has(name) && startTime <= figures.heading)
  // Packed only now: while the page loads it would take the time that is measured.
  const bytesOf = async (names: string[]) => {
    const bodies = await Promise.all(names.map(async (name) => scripts.get(name)?.body()))
    return bodies.reduce((sum, body) => sum + (body ? gzipSync(body).length : 0), 0)
  }
  const client = await context.newCDPSession(page)
  await client.send('HeapProfiler.collectGarbage')
  const { usedSize } = await client.send('Runtime.getHeapUsage')
  const entry = early.filter(({ name }) => named.includes(name)).map(({ name }) => name)
  const route = early.filter(({ name }) => !named.includes(name)).map(({ name }) => name)
  const result = {
    entryBytes: await bytesOf(entry),
    routeBytes: await bytesOf(route),
    scripts: early.length,
    requests: 1 + loaded.filter(({ startTime }) => startTime <= figures.lcp).length,
    fcpMs: figures.fcp,
    lcpMs: figures.lcp,
    cls: figures.cls,
    tbtMs: figures.tbt,
    heapMb: usedSize / 1024 / 1024,
  }
  await context.close()
  return result
}

type Figures = { fcp: number; lcp: number; cls: number; tbt: number; heading: number }

/** Installs the browser's own observers before the page runs. */
async function observe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const figures = { fcp: 0, lcp: 0, cls: 0, tbt: 0, heading: 0 }
    Object.assign(globalThis, { figures })
    const watch = (
      type: string,
      note: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
    ) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
    new MutationObserver((_, observer) => {
      if (!document.querySelector('main h1')) return
      figures.heading = performance.now()
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })
    watch('paint', (entry) => {
      if (entry.name === 'first-contentful-paint') figures.fcp = entry.startTime
    })
    watch('largest-contentful-paint', (entry) => (figures.lcp = entry.startTime))
    watch('layout-shift', (entry) => (figures.cls += entry.hadRecentInput ? 0 : (entry.value ?? 0)))
    watch('longtask', (entry) => (figures.tbt += Math.max(0, entry.duration - 50)))
  })
}

async function firstPaintOfBarePage(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage()
  await observe(page)
  await page.goto(url)
  await page.waitForFunction(() => (globalThis as unknown as { figures: { fcp: number } }).figures.fcp > 0)
  const fcp = await page.evaluate(() => (globalThis as unknown as { figures: { fcp: number } }).figures.fcp)
  await page.close()
  return fcp
}
