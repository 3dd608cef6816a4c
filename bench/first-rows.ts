import type { Page } from '@playwright/test'

/** From the start of the navigation to the frame with the first row of a table, milliseconds. */
export async function firstRows(page: Page, url: string): Promise<number> {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('tbody tr[data-row]')) return
      observer.disconnect()
      requestAnimationFrame(() =>
        setTimeout(() => Object.assign(globalThis, { firstRowsMs: performance.now() })),
      )
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(url)
  await page.waitForFunction(() => 'firstRowsMs' in globalThis)
  return page.evaluate(() => Number(Reflect.get(globalThis, 'firstRowsMs')))
}
