import type { Page } from '@playwright/test'
import { guardedRoutes } from '../tools/all-routes.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { seedOrganization } from '../tools/seed-organization.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

/** The lists over all clusters show one of several resources, which stands in the address. */
const chosenByType = [
  '/kubernetes/services?type=endpointslices.discovery.k8s.io',
  '/storage?type=persistentvolumes',
  '/storage?type=storageclasses.storage.k8s.io',
]

/** Lists of which it is known that their rows can be selected; every other page is looked at as well. */
const isSelectable = (route: string) =>
  chosenByType.includes(route) ||
  /^\/kubernetes\/clusters\/\d+\/(workloads|pods|nodes|services|config|storage)$/.test(route) ||
  ['/kubernetes/workloads', '/kubernetes/services', '/storage', '/workflows/runs', '/errors'].includes(route)

const all = (page: Page) => page.getByRole('checkbox', { name: 'Select all rows' })
const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Select (?!all rows)/ })
const count = (page: Page) => page.getByText(/^[\d,]+ (rows? )?selected$/)
const clear = (page: Page) => page.getByRole('button', { name: /^Clear (the )?selection$/ })

test.setTimeout(300_000)

test('on every list rows are selected by their box, by x and by the box of the head', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const ids = await seedOrganization(session)
  await enterWith(page, session.token)
  const tried: string[] = []
  const routes = [...guardedRoutes(ids), ...chosenByType]
  // oxlint-disable no-await-in-loop -- one page after the other
  for (const route of routes) {
    await page.goto(route)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await expect(page.getByLabel('Loading...').or(page.getByText('Loading...'))).toHaveCount(0)
    await expect(page.locator('table[aria-busy="true"]')).toHaveCount(0)
    if (isSelectable(route)) await boxes(page).first().waitFor()
    if ((await boxes(page).count()) === 0) continue
    tried.push(route)
    await test.step(route, () => selects(page))
  }
  // oxlint-enable no-await-in-loop
  expect(tried.filter(isSelectable)).toHaveLength(14)
})

async function selects(page: Page): Promise<void> {
  const first = boxes(page).first()
  await first.check()
  await expect(count(page)).toHaveText(/^1 /)
  await clear(page).click()
  await expect(count(page)).toHaveCount(0)
  await expect(first).not.toBeChecked()

  await page.locator('[data-row-target]').first().focus()
  await page.keyboard.press('x')
  await expect(count(page)).toHaveText(/^1 /)
  await expect(first).toBeChecked()
  await page.keyboard.press('x')
  await expect(count(page)).toHaveCount(0)

  await all(page).check()
  await expect(all(page)).toBeChecked()
  for (const box of await boxes(page).all()) await expect(box).toBeChecked()
  await expect(count(page)).toBeVisible()
  await all(page).uncheck()
  await expect(count(page)).toHaveCount(0)
}
