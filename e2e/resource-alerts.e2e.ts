import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

test('what a query of the inventory finds is watched by an alert', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  const expiresAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await session.client.call('secrets.create', {
    body: { name: 'tls-shop', value: 'a-value-of-the-test', expiresAt },
  })
  await enterWith(page, session.token)
  await page.goto('/resources?q=expires%3A%3C14d')
  await page.getByRole('link', { name: 'Create alert…' }).click()
  await expect(page.getByLabel('Query')).toHaveValue('expires:<14d')
  await expect(page.getByText('1 resource matches now.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'tls-shop' })).toBeVisible()
  await page.getByLabel('Name').fill('Ending soon')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ending soon' })).toBeVisible()
  await expect(page.getByText(/1 resource matches expires:<14d/)).toBeVisible({ timeout: 60_000 })
})
