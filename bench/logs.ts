import type { Page } from '@playwright/test'
import { seedCluster } from '../tools/seed-organization.ts'
import { report } from './figure.ts'
import { startFlood } from './flood.ts'
import { observeFrames } from './frames.ts'
import { longestTaskCpuMs } from './main-thread.ts'
import { withBrowser } from './with-browser.ts'

const seconds = 10
const maxFrameMs = 50

/** A pod that writes 5,000 lines a second, followed in a browser: lines that arrived, and the longest frame. */
export async function run(): Promise<void> {
  await withBrowser(async ({ bey, browser, session }) => {
    const clusterId = await seedCluster(session, 'prod-eu-1')
    await startFlood(bey, session, clusterId)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
    await page.goto(
      `${bey.url}/kubernetes/clusters/${clusterId}/objects/pods/default/flood?tab=logs&period=5m`,
    )
    await page.getByRole('log').waitFor({ timeout: 60_000 })
    // What was written before is read first.
    await page.waitForTimeout(4000)
    const bare = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const before = await linesOf(page)
    const startedAt = performance.now()
    // At the same time: what else keeps the machine busy keeps both pages waiting.
    const [frames, bareFrames] = await Promise.all([
      observeFrames(page, seconds * 1000),
      observeFrames(bare, seconds * 1000),
    ])
    const perSecond = ((await linesOf(page)) - before) / ((performance.now() - startedAt) / 1000)
    await bare.close()
    report({ name: 'lines arriving', value: perSecond, unit: '/s', goal: 5_000, isAtLeast: true })
    report({
      name: 'longest frame',
      value: frames.longestMs,
      unit: 'ms',
      goal: maxFrameMs,
      detail: `of ${frames.count} in ${seconds} s; a bare page beside it ${bareFrames.longestMs.toFixed(1)} ms, of ${bareFrames.count}`,
    })
    report({
      name: 'longest work on a frame',
      value: frames.longestWorkMs,
      unit: 'ms',
      detail: 'script, style and layout, as the browser measures those over 50 ms; 0 where none was',
    })
    report({ name: 'longest task', value: frames.longestTaskMs, unit: 'ms' })
    report({
      name: 'longest task, CPU time',
      value: await longestTaskCpuMs(browser, page, () => page.waitForTimeout(seconds * 1000)),
      unit: 'ms',
      goal: maxFrameMs,
    })
  })
}

/** Lines of the log that the page holds, as its foot says. */
function linesOf(page: Page): Promise<number> {
  return page.evaluate(() =>
    Number((document.querySelector('footer')?.textContent ?? '').replace(/,/g, '').match(/\d+/)?.[0]),
  )
}
