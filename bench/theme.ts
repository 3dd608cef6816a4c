import type { Page } from '@playwright/test'
import { median } from './process-figures.ts'
import { report } from './figure.ts'
import { withBrowser } from './with-browser.ts'

const budgetMs = 50
const rounds = 20

/** From the press that changes a theme to the next paint, against a frame in which one colour changes by hand. */
export async function run(): Promise<void> {
  await withBrowser(async ({ bey, browser, session }) => {
    const { token } = session
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.addInitScript((value) => localStorage.setItem('bey-token', value), token)
    await page.goto(`${bey.url}/workspaces/settings/appearance`)
    await page.getByRole('heading', { name: 'Appearance' }).waitFor()
    await page.waitForLoadState('networkidle')
    const bare = await paints(page, '')
    for (const [name, selector] of [
      ['mode         ', 'input[type=radio][aria-label=Light], input[type=radio][aria-label=Dark]'],
      ['preset       ', 'button[aria-pressed]:has(span)'],
      ['accent       ', 'button[aria-pressed][aria-label]'],
    ] as const) {
      const took = await paints(page, selector)
      const worst = took.toSorted((one, other) => one - other)[Math.floor(rounds * 0.95)] ?? 0
      report({
        name: `${name.trim()}, to the next paint`,
        value: median(took),
        unit: 'ms',
        goal: budgetMs,
        cause: 'the browser computes the colours of every element anew and paints the whole page',
        detail: `${(median(took) / median(bare)).toFixed(1)} × a bare frame; p95 ${worst.toFixed(0)} ms`,
      })
    }
  })
}

/** Presses what the selector finds, one after the other; without one, a single colour is changed by hand. */
function paints(page: Page, selector: string): Promise<number[]> {
  return page.evaluate(
    async ([css, count]) => {
      const found = css === '' ? [] : [...document.querySelectorAll<HTMLElement>(css)]
      if (css !== '' && found.length < 2) throw new Error(`Nothing to press: ${css}`)
      const painted = () =>
        new Promise<void>((done) =>
          requestAnimationFrame(() => {
            const channel = new MessageChannel()
            channel.port1.onmessage = () => done()
            channel.port2.postMessage(null)
          }),
        )
      const took: number[] = []
      for (let round = -3; round < count; round++) {
        await painted()
        const startedAt = performance.now()
        const next = found[(round + 3) % Math.max(1, found.length)]
        if (next) next.click()
        else document.body.style.outlineColor = `rgb(${round + 3} 0 0)`
        await painted()
        // The first few warm up what is compiled.
        if (round >= 0) took.push(performance.now() - startedAt)
      }
      return took
    },
    [selector, rounds] as const,
  )
}
