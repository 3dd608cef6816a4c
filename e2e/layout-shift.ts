import type { Page } from '@playwright/test'

/** A list may move by so much until it is there: the layout shift score (https://web.dev/articles/cls). */
export const maxShift = 0.01

type Shifts = { shifts: { value: number; moved: string }[] }

/** Collects layout shifts from the beginning of each page. */
export async function observeShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Entry = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    const shifts: { value: number; moved: string }[] = []
    Object.assign(globalThis, { shifts })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Entry[]) {
        if (hadRecentInput) continue
        const moved = sources.map(
          ({ node, previousRect, currentRect }) =>
            `“${(node?.textContent ?? '').slice(0, 30)}” from ${previousRect.y} to ${currentRect.y}`,
        )
        shifts.push({ value, moved: moved.join(', ') })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** By how much the page has moved so far, and what moved. */
export async function shiftOf(page: Page): Promise<{ shift: number; moved: string }> {
  // What has been drawn is reported with the next frame but one.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined)))),
  )
  const shifts = await page.evaluate(() => (globalThis as unknown as Shifts).shifts)
  return {
    shift: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts.map(({ moved }) => moved).join('; '),
  }
}
