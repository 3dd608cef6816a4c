import { axeFindings } from './axe.ts'
import { expect, newcomer, signUp, test } from './bey.ts'

test('the documentation is read, searched and turned by keys, at a desk and on a phone', async ({ page }) => {
  await signUp(page, newcomer())
  await page.getByRole('link', { name: 'Documentation' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Documentation' })).toBeVisible()
  await page
    .getByRole('article')
    .getByRole('link', { name: /^Roll back/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Roll back' })).toBeVisible()
  await expect(
    page.getByRole('navigation', { name: 'Documentation' }).locator('[aria-current="page"]'),
  ).toHaveText('Roll back')
  await page.keyboard.press(']')
  await expect(page.getByRole('heading', { level: 1, name: 'Rotate a secret' })).toBeVisible()
  await page.keyboard.press('[')
  await expect(page.getByRole('heading', { level: 1, name: 'Roll back' })).toBeVisible()

  await expect(page).toHaveTitle(/^Roll back/)

  const search = page.getByRole('searchbox', { name: 'Search the documentation' })
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await search.fill('recoverable idempotency unheard')
  await expect(
    page.getByRole('list', { name: 'Found in the documentation' }).getByRole('link').first(),
  ).toBeVisible()
  await search.fill('types of steps')
  await page
    .getByRole('link', { name: /^Types of steps/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/docs\/services\/workflows#types-of-steps$/)
  await expect(page.getByRole('heading', { name: 'Types of steps' })).toBeInViewport()
  expect(await axeFindings(page)).toEqual([])

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('rotation fails')
  await page.getByRole('option', { name: 'By itself Rotate a secret' }).click()
  await expect(page).toHaveURL(/\/docs\/guides\/rotate-a-secret#by-itself$/)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/docs/guides/rotate-a-secret')
  await expect(page.getByRole('heading', { level: 1, name: 'Rotate a secret' })).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.goto('/docs/guides/no-such-page')
  await expect(page.getByText('The documentation has no page guides/no-such-page')).toBeVisible()
})
