import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

test.use({ reducedMotion: 'reduce' })

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
