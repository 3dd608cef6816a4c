import { expect, test } from './bey.ts'
import { enter, open, palette, search } from './palette-page.ts'

test('under the palette the page takes no pointer and does not scroll, and Tab stays inside', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 1440, height: 500 })
  await enter(page, baseURL, { path: '/profile' })
  const main = page.locator('#main')
  const scrolled = () => main.evaluate((element) => element.scrollTop)
  await open(page)
  await page.mouse.move(1400, 450)
  await page.mouse.wheel(0, 400)
  // What lies under the pointer is the ground, not the page.
  expect(await page.evaluate(() => document.elementFromPoint(1400, 450)?.closest('#main'))).toBeNull()
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Tab')
    expect(await palette(page).evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  expect(await scrolled()).toBe(0)
  // As a dialog does that closed a moment before.
  await main.evaluate((element) => element.focus())
  await expect(search(page)).toBeFocused()

  await page.mouse.click(1400, 450, { button: 'right' })
  await expect(palette(page)).toBeVisible()
  await page.mouse.click(1400, 450)
  await expect(palette(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\/profile$/)
})
