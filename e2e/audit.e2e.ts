import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

test('an owner sets policies, and an auditor finds what happened, opens it, verifies the log, and exports what the filters leave', async ({
  page,
  bey,
}) => {
  const person = newcomer()
  const session = await signUpByApi(bey.url, person)
  const headers = {
    authorization: `Bearer ${session.token}`,
    'x-organization-id': String(session.organizationId),
    'content-type': 'application/json',
  }
  const post = (path: string, body: unknown) =>
    fetch(`${bey.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await post('/api/secrets', { name: 'orders-db', type: 'password', value: 'never-in-the-log' })
  await post('/api/secrets', { name: 'smtp', type: 'password', value: 'never-in-the-log-2' })
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)

  await page.goto('/workspaces/settings/security')
  await page.getByLabel('End a session after', { exact: true }).selectOption('12')
  await page.getByLabel('Networks').fill('10.0.0.0/8')
  await page.getByRole('button', { name: 'Save policies' }).click()
  await expect(page.getByText(/you would lock yourself out/)).toBeVisible()
  await page.getByLabel('Networks').fill('127.0.0.0/8')
  await page.getByRole('button', { name: 'Save policies' }).click()
  await expect(page.getByText('Policies saved')).toBeVisible()

  await page.getByRole('navigation', { name: 'Parts of security' }).getByText('Audit log').click()
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await expect(rows.filter({ hasText: 'changed the security policies' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'created a secret' })).toHaveCount(2)

  await page.getByLabel('Action', { exact: true }).selectOption('secret.create')
  await expect(page).toHaveURL(/action=secret\.create/)
  await expect(page.getByText('2 entries', { exact: true })).toBeVisible()
  await page.getByPlaceholder(/Actor, action, resource/).fill('orders')
  await expect(rows.filter({ hasText: 'smtp' })).toHaveCount(0)
  await rows.filter({ hasText: 'orders-db' }).getByRole('link').click()
  await expect(page.getByText('role OWNER, secrets.create')).toBeVisible()
  await expect(page.getByText('joins the entries before and after it')).toBeVisible()
  await expect(page.getByRole('region', { name: 'What changed' })).not.toContainText('never-in-the-log')
  await page.reload()
  await expect(page.getByText('joins the entries before and after it')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/)

  await page.getByRole('link', { name: 'Everything about orders-db' }).click()
  await expect(page.getByText(/^About secret /)).toBeVisible()
  await page.getByRole('button', { name: /^Verify/ }).click()
  await expect(page.getByText(/^All \d+ entries are in place and unchanged\.$/)).toBeVisible()
})
