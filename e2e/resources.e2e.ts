import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'
import { observeShifts, shiftOf } from './layout-shift.ts'

test('resources are found by a query, tagged together, saved as a view and opened', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  const { id } = await session.client.call('clusters.create', {
    body: { title: 'inventory', provider: 'sandbox' },
  })
  await expect
    .poll(async () => (await session.client.call('clusters.get', { params: { id } })).status, {
      timeout: 60_000,
    })
    .toBe('RUNNING')
  await enterWith(page, session.token)
  await page.goto('/resources')
  const query = page.getByRole('combobox', { name: 'Query' })
  await expect(page.getByText(/^\d+ resources\./)).toBeVisible({ timeout: 60_000 })
  expect(await axeFindings(page)).toEqual([])

  // A word that cannot be read is marked, and the rows stay.
  await query.fill('kind:nodee')
  await expect(page.getByText('There is no kind "nodee". Did you mean node?')).toBeVisible()
  await expect(page.getByRole('row')).not.toHaveCount(1)

  await query.fill('kind:deploy')
  await page.getByRole('option', { name: /^kind:deployment/ }).click()
  await expect(page.getByText(/of \d+ deployments match/)).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('link', { name: 'coredns' })).toBeVisible()

  await page.getByRole('checkbox', { name: 'coredns' }).check()
  await page.getByRole('textbox', { name: 'Tag' }).fill('team=shop')
  await page.getByRole('button', { name: 'Add tag' }).click()
  await expect(page.getByText('Changed 1 resource')).toBeVisible()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await query.fill('tag:team=shop')
  await expect(page.getByText(/^1 of \d+ resources matches/)).toBeVisible()

  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop')
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await expect(
    page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Shop' }),
  ).toBeVisible()
  const inSidebar = page.getByRole('navigation', { name: 'Services' }).getByRole('link', { name: 'Shop' })
  await expect(inSidebar).toHaveAttribute('aria-current', 'page')

  await page.getByRole('link', { name: 'coredns' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'coredns' })).toBeVisible()
  await expect(page.getByText('team=shop').first()).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await inSidebar.click()
  await expect(page.getByText(/^1 of \d+ resources matches/)).toBeVisible()

  await page.goto(`/resources/deployment:${id}.default.gone`)
  await expect(page.getByText('This deployment is gone, or never was in this organization.')).toBeVisible()
})

test('the foot of the list waits for its count and moves nothing, and without a connection no hidden label widens a phone', async ({
  page,
  bey,
}) => {
  const { token } = await signUpByApi(bey.url, newcomer())
  await enterWith(page, token)
  await observeShifts(page)
  await page.routeWebSocket(/\/ws$/, (socket) => socket.close({ code: 1013 }))
  const reply = Promise.withResolvers<void>()
  await page.route(/\/api\/resources\?/, async (route) => {
    await reply.promise
    await route.continue()
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/resources')
  const header = page.getByRole('banner')
  await expect(header.getByText('connecting')).toBeVisible()
  const foot = page.getByRole('contentinfo')
  await expect(foot.getByText('bey resources list')).toHaveCount(0)
  reply.resolve()
  await expect(foot.getByText('bey resources list')).toBeVisible()
  await expect(foot.getByText(/^(0 resources|1–\d+ of)/)).toBeVisible()
  const { shift, moved } = await shiftOf(page)
  // Less than what any of them would add by itself.
  expect(shift, moved).toBeLessThan(0.001)

  await page.setViewportSize({ width: 360, height: 780 })
  await expect(page.getByRole('button', { name: 'Open navigation' })).toBeVisible()
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  expect(await width()).toBe(360)
  // As in the moment before the console notices its new width: the sidebar is still there.
  await page.addInitScript(() => {
    const { matchMedia } = globalThis
    globalThis.matchMedia = (query) => matchMedia(query === '(max-width: 767px)' ? '(max-width: 0px)' : query)
  })
  await page.reload()
  await expect(header.getByText('connecting')).toBeAttached()
  expect(await width()).toBe(360)
})
