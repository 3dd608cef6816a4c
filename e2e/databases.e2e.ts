import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'
import { option, palette, search } from './palette-page.ts'

test.use({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] })

test('a database is created, connected to, hibernated, resumed and deleted', async ({ page, bey }) => {
  test.setTimeout(180_000)
  const session = await signUpByApi(bey.url, newcomer())
  await enterWith(page, session.token)
  await page.goto('/databases')
  await expect(page.getByRole('heading', { name: 'No database yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Create database' }).last().click()
  await page.getByRole('button', { name: 'Create database' }).click()
  await expect(page.getByText('Enter a name for the database.')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('orders-eu')
  await expect(page.getByText('Secret databases/orders-eu')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Create database' }).click()
  await expect(page.getByRole('heading', { name: 'orders-eu', level: 1 })).toBeVisible()
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('Cache hits')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('navigation', { name: 'Parts of the database' }).getByText('Connect').click()
  const string = page.getByRole('region', { name: 'Connection string' })
  await expect(string).toContainText('postgresql://orders_eu:')
  await expect(string).toContainText('read when you copy')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Copy with password' }).click()
  await expect(page.getByText('Copied with the password')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^postgresql:\/\/orders_eu:[A-Za-z0-9]{40}@127\.0\.0\.1:\d+\/orders_eu/)

  await page.getByRole('button', { name: 'Actions for orders-eu' }).click()
  await page.getByRole('menuitem', { name: 'Hibernate' }).click()
  await expect(page.getByText('takes no memory until it is resumed')).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })

  await page.keyboard.press('Control+k')
  await search(page).fill('orders')
  await expect(option(page, /orders-eu/).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)

  await page.getByRole('button', { name: 'Actions for orders-eu' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/Secret databases\/orders-eu/)).toBeVisible()
  await dialog.getByRole('textbox').fill('orders-eu')
  await dialog.getByRole('button', { name: 'Delete database' }).click()
  await expect(page.getByRole('heading', { name: 'No database yet' })).toBeVisible({ timeout: 60_000 })
})
