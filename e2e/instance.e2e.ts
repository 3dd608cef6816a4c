import { expect, newcomer, signUp, test } from './bey.ts'

// A server of its own: whoever signs up first operates it.
test.use({ beyEnv: { BEY_SIGNUP: 'open' } })

test('an operator reads how the server is; nobody else does', async ({ page, browser, baseURL }) => {
  await signUp(page, newcomer())
  await page.goto('/workspaces/settings/instance')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/of this Bey|This Bey is healthy/)
  const limits = page.getByRole('table', { name: 'What breaks first' })
  await expect(limits.getByRole('row', { name: /Database connections/ })).toContainText(
    'unknown, 0 of 7 days',
  )
  await expect(page.getByRole('region', { name: 'Backups of Bey itself' })).toBeVisible()
  await expect(page.getByText('bey doctor')).toHaveCount(2)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Mail', exact: true })).toBeVisible()

  const elsewhere = await browser.newPage({ baseURL })
  await signUp(elsewhere, newcomer())
  await elsewhere.goto('/workspaces/settings/instance')
  await expect(elsewhere.getByText('This page belongs to the operator')).toBeVisible()

  const mode = page.getByRole('region', { name: 'Read-only mode' })
  await mode.getByLabel('Reason').fill('Moving until 14:00.')
  await mode.getByRole('button', { name: 'Make Bey read-only' }).click()
  const says = 'Bey is read-only. Moving until 14:00. Changes are refused and no step of a run begins.'
  await expect(page.getByRole('region', { name: 'Read-only', exact: true })).toHaveText(says)
  await elsewhere.goto('/workspaces/settings')
  await expect(elsewhere.getByRole('region', { name: 'Read-only', exact: true })).toHaveText(says)
  await mode.getByRole('button', { name: 'End read-only mode' }).click()
  await expect(page.getByRole('region', { name: 'Read-only', exact: true })).toHaveCount(0)
  await elsewhere.reload()
  await expect(elsewhere.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(elsewhere.getByRole('region', { name: 'Read-only', exact: true })).toHaveCount(0)
  await elsewhere.close()
})
