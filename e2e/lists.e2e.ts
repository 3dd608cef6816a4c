import type { Page } from '@playwright/test'
import { guardedRoutes } from '../tools/all-routes.ts'
import type { RouteIds } from '../tools/all-routes.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { seedOrganization } from '../tools/seed-organization.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'
import { clippedTexts } from './clipped-text.ts'
import { maxShift, observeShifts, shiftOf } from './layout-shift.ts'

// Every list of the console, whatever it lists: its keys, and its place on the screen of a laptop.

test.use({ viewport: { width: 1280, height: 800 } })
test.setTimeout(420_000)

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

/** Pages of lists, and of things with a list on them. */
function listRoutes(ids: RouteIds): string[] {
  const isForm = /\/(?:create|import|edit|execute|compare|settings)(?:$|\?)|tab=settings/
  return [
    ...guardedRoutes(ids).filter((route) => !isForm.test(route)),
    '/workspaces/settings/security?tab=audit',
    `/workflows/${ids.workflowId}?tab=runs`,
    `/workspaces/settings/webhooks/${ids.webhookId}?tab=deliveries`,
    ...chosenByType,
  ]
}

const table = (page: Page) => page.locator('[data-table]').first()
const row = (page: Page, index: number) => table(page).locator(`[data-row="${index}"]`)

const all = (page: Page) => page.getByRole('checkbox', { name: 'Select all rows' })
const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Select (?!all rows)/ })
const count = (page: Page) => page.getByText(/^[\d,]+ (rows? )?selected$/)

test('every list keeps its place at 1280 px until it is live, no text or name is cut off at 1280, 1440 and 390 px, rows are selected by box and key, and its keys do what the sheet says', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const ids = await seedOrganization(session)
  await enterWith(page, session.token)
  await observeShifts(page)
  // A list is here before its connection: the first attempt of each page fails.
  let attempts = 0
  await page.routeWebSocket(/\/ws$/, async (socket) => {
    attempts += 1
    if (attempts === 1) await socket.close({ code: 1013 })
    else socket.connectToServer()
  })
  const findings: string[] = []
  const lists: string[] = []
  const selected: string[] = []
  for (const route of listRoutes(ids)) {
    attempts = 0
    await page.goto(route)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await expect(page.getByLabel('Loading...').or(page.getByText('Loading...'))).toHaveCount(0)
    // Rows that are being read have no name of their own.
    await expect(page.locator('table[aria-busy="true"]')).toHaveCount(0)
    if (isSelectable(route)) await boxes(page).first().waitFor()
    const hasRows = (await row(page, 0).count()) > 0
    if (hasRows) await expect(page.getByRole('banner').getByText('live', { exact: true })).toBeVisible()
    const { shift, moved } = await shiftOf(page)
    findings.push(...(await clippedAtWidths(page)).map((text) => `${route}: ${text}`))
    if (!hasRows) continue
    lists.push(route)
    // A page of sections grows with them; a list has one place, under its filters.
    const isList = (await page.locator('#main [data-toolbar]').count()) > 0
    if (isList && shift > maxShift) findings.push(`${route}: moved by ${shift.toFixed(3)}: ${moved}`)
    if ((await boxes(page).count()) > 0) {
      selected.push(route)
      await test.step(`selection on ${route}`, () => selects(page))
    }
    findings.push(...(await keyFindings(page)).map((text) => `${route}: ${text}`))
  }
  expect(findings).toEqual([])
  expect(selected.filter(isSelectable)).toHaveLength(14)
  // Lists of each service were among them.
  expect(lists).toEqual(
    expect.arrayContaining([
      '/kubernetes/clusters',
      '/kubernetes/workloads',
      '/kubernetes/services',
      '/storage',
      `/kubernetes/clusters/${ids.clusterId}/pods`,
      '/workflows',
      '/workflows/runs',
      '/secrets',
      '/errors',
      '/workspaces/members',
      '/workspaces/settings/api-keys',
      '/workspaces/settings/webhooks',
      '/workspaces/settings/annotations',
    ]),
  )
})

/** Texts that are cut off at 1440, 390 and 1280 px; the last is the width of the page before and after. */
async function clippedAtWidths(page: Page): Promise<string[]> {
  const findings: string[] = []
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    // Rows are laid out anew once the page knows its width, which takes a moment where there are many.
    let clipped: string[] = []
    await expect
      .poll(async () => (clipped = await clippedTexts(page)), { timeout: 10_000 })
      .toEqual([])
      .catch(() => undefined)
    findings.push(...clipped.map((text) => `${text} is cut off at ${width} px`))
  }
  return findings
}

/** Rows are selected by their box, by `x` and by the box of the head; nothing is selected afterwards. */
async function selects(page: Page): Promise<void> {
  const first = boxes(page).first()
  await first.check()
  await expect(count(page)).toHaveText(/^1 /)
  await page.getByRole('button', { name: /^Clear (the )?selection$/ }).click()
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
  await page.locator('#main').focus()
}

/** What a key does not do in the first list of the page. The page is left by the last one. */
async function keyFindings(page: Page): Promise<string[]> {
  const findings: string[] = []
  const check = async (key: string, what: string, holds: () => Promise<boolean>) => {
    await page.keyboard.press(key)
    // The address of a page, and what depends on it, changes a moment after the key.
    const isSo = await expect
      .poll(holds, { timeout: 20_000 })
      .toBe(true)
      .then(() => true)
      .catch(() => false)
    if (!isSo) findings.push(`${key} does not ${what}`)
  }
  const drawn = await table(page).locator('[data-row]').count()
  const last = drawn - 1
  const isAt = (index: number) => async () => (await focusedRow(page)) === index
  const isExpanded = async () => (await row(page, 0).locator('[aria-expanded="true"]').count()) > 0
  const drawer = page.getByRole('dialog').or(page.locator('#main aside'))
  const isOpen = async () => (await drawer.count()) > 0 || (await isExpanded())
  const hasBoxes = (await row(page, 0).getByRole('checkbox').count()) > 0
  const selected = () => table(page).locator('[data-row][aria-selected="true"]').count()

  await check('j', 'go to the first row', isAt(0))
  await check('j', 'go to the next row', isAt(Math.min(1, last)))
  await check('k', 'go back', isAt(0))
  await check('ArrowDown', 'go to the next row', isAt(Math.min(1, last)))
  await check('ArrowUp', 'go back', isAt(0))
  await check('PageDown', 'go ten rows on', isAt(Math.min(10, last)))
  await check('PageUp', 'go ten rows back', isAt(0))
  await check('End', 'go to the last row', async () => ((await focusedRow(page)) ?? -1) >= last)
  await check('Home', 'go to the first row', isAt(0))

  const top = await page.locator('#main').evaluate((element) => element.scrollTop)
  await check(' ', 'open the drawer', isOpen)
  if ((await selected()) > 0) findings.push('Space selects')
  if ((await page.locator('#main').evaluate((element) => element.scrollTop)) !== top)
    findings.push('Space scrolls')
  await check((await isExpanded()) ? ' ' : 'Escape', 'close the drawer', async () => !(await isOpen()))
  await check('Home', 'act on the row that has the focus again', isAt(0))

  const filter = page.locator('main [data-filter]')
  if ((await filter.count()) > 0) {
    await check('/', 'go to the filter', () =>
      filter.first().evaluate((element) => element === document.activeElement),
    )
    await page.keyboard.press('Escape')
    await page.locator('#main').focus()
    await check('j', 'go to the first row again', isAt(0))
  }
  await check('x', hasBoxes ? 'select the row' : 'leave the row alone', async () => {
    return (await selected()) === (hasBoxes ? 1 : 0)
  })
  if (hasBoxes && last > 0) {
    await check('j', 'go on from a selected row', isAt(1))
    await check('Shift+X', 'select as far as the second row', async () => (await selected()) === 2)
  }

  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await check('?', 'open the sheet', () => sheet.isVisible())
  const listed = await sheet
    .locator('section', { hasText: /^Lists/ })
    .locator('dt')
    .allInnerTexts()
  for (const name of ['Next row', 'Previous row', 'Open the row', 'Show the row in a drawer'])
    if (!listed.includes(name)) findings.push(`The sheet does not list "${name}"`)
  if (listed.includes('Select the row') !== hasBoxes) findings.push('The sheet is wrong about selection')
  await check('Escape', 'close the sheet', async () => !(await sheet.isVisible()))

  const link = row(page, 0).locator('a[data-row-target]')
  if ((await link.count()) > 0) {
    await link.focus()
    const before = page.url()
    await check('Enter', 'open the row', async () => page.url() !== before)
  }
  return findings
}

function focusedRow(page: Page): Promise<number | undefined> {
  return page.evaluate(() => {
    const index = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row']
    return index === undefined ? undefined : Number(index)
  })
}
