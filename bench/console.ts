import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import type { Browser, Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { median } from './process-figures.ts'

const budgetEntryBytes = 130 * 1024

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
    const runs = []
    for (let i = 0; i < 7; i += 1) runs.push(await measure(browser, bey.url, token))
    const bare = []
    for (let i = 0; i < 7; i += 1) bare.push(await firstPaintOfBarePage(browser, `${bey.url}/health`))
    const first = runs[0]
    if (!first) throw new Error('No run was measured.')
    const lcp = median(runs.map((each) => each.lcpMs))
    console.log(
      `  entry JS          ${(first.entryBytes / 1024).toFixed(1)} KB gz = ${(first.entryBytes / budgetEntryBytes).toFixed(2)} of its budget`,
    )
    console.log(
      `  requests to LCP   ${first.requests} = ${(first.requests / 20).toFixed(2)} of their budget; ${first.scripts} scripts`,
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

async function measure(browser: Browser, url: string, token: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript((value) => localStorage.setItem('bey-token', value), token)
  const page = await context.newPage()
  const scripts: Promise<number>[] = []
  const requested: number[] = []
  page.on('response', (response) => {
    requested.push(Date.now())
    if (response.request().resourceType() === 'script')
      scripts.push(response.body().then((body) => gzipSync(body).length))
  })
  await observe(page)
  await page.goto(url)
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  const scriptsUntilContent = scripts.length
  await page.waitForLoadState('networkidle')
  const figures = await page.evaluate(
    () =>
      (globalThis as unknown as { figures: { fcp: number; lcp: number; cls: number; tbt: number } }).figures,
  )
  const lcpAt = (await page.evaluate(() => performance.timeOrigin)) + figures.lcp
  const sizes = await Promise.all(scripts.slice(0, scriptsUntilContent))
  const client = await context.newCDPSession(page)
  await client.send('HeapProfiler.collectGarbage')
  const { usedSize } = await client.send('Runtime.getHeapUsage')
  await context.close()
  return {
    entryBytes: sizes.reduce((sum, size) => sum + size, 0),
    scripts: sizes.length,
    requests: requested.filter((at) => at <= lcpAt).length,
    fcpMs: figures.fcp,
    lcpMs: figures.lcp,
    cls: figures.cls,
    tbtMs: figures.tbt,
    heapMb: usedSize / 1024 / 1024,
  }
}

/** Installs the browser's own observers before the page runs. */
async function observe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const figures = { fcp: 0, lcp: 0, cls: 0, tbt: 0 }
    Object.assign(globalThis, { figures })
    const watch = (
      type: string,
      note: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
    ) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
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
