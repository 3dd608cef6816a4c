import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

test('a key is made, shown once, tried, used, rotated, edited and revoked', async ({
  page,
  bey,
  request,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await session.client.call('secrets.create', { body: { name: 'shop/password', value: 'v' } })
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto('/workspaces/settings/api-keys')
  await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Create API key' }).last().click()
  await expect(page.getByRole('heading', { name: 'Create API key', level: 1 })).toBeVisible()

  await page.getByRole('button', { name: 'Create API key' }).click()
  await expect(page.getByText('Enter a name for the key.')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('deploys')
  await page.getByLabel('Belongs to').selectOption('the organization')
  await page.getByRole('radio', { name: 'Choose' }).check()
  await page.getByRole('checkbox', { name: 'apiKeys.manage' }).check()
  await expect(page.getByText('Anyone with this key can grant or revoke access')).toBeVisible()
  await page.getByRole('checkbox', { name: 'apiKeys.manage' }).uncheck()
  await page.getByRole('radio', { name: 'Only some' }).check()
  await page.getByLabel('Type of resource').selectOption('Secrets')
  await page.getByLabel('Add a secret').selectOption('shop/password')
  await page.getByLabel('Allowed addresses').fill('home')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Create API key' }).click()
  await expect(page.getByText('"home" is no network.')).toBeVisible()
  await page.getByLabel('Allowed addresses').fill('127.0.0.0/8, ::1')
  await page.getByRole('button', { name: 'Create API key' }).click()

  const shown = page.getByRole('dialog', { name: 'Copy the secret of deploys now' })
  const first = await shown.getByRole('textbox', { name: 'API key' }).inputValue()
  expect(first).toMatch(/^bey_key_[0-9A-Za-z]{49}$/)
  await shown.getByRole('button', { name: 'Test this key' }).click()
  await expect(shown.getByText('The key works')).toBeVisible()
  expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByRole('heading', { name: 'deploys', level: 1 })).toBeVisible()
  await expect(page.getByText('shop/password')).toBeVisible()
  expect(await page.content()).not.toContain(first)

  const read = (token: string, path: string) =>
    request.get(`${bey.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const { secrets } = await session.client.call('secrets.list', {})
  expect((await read(first, `/api/secrets/${secrets[0]?.id}`)).status()).toBe(200)
  // The list of what it is limited to, and no other.
  expect((await (await read(first, '/api/secrets')).json()) as object).toMatchObject({ total: 1 })
  expect((await read(first, '/api/kubernetes/clusters')).status()).toBe(403)

  await page.getByRole('button', { name: 'Rotate', exact: true }).click()
  await page.getByRole('button', { name: 'Rotate key' }).click()
  const second = await shown.getByRole('textbox', { name: 'API key' }).inputValue()
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByText('The previous secret still works')).toBeVisible()
  for (const token of [first, second]) expect((await read(token, '/api/credential')).status()).toBe(200)

  await page.getByRole('button', { name: 'Actions for deploys' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('deploys of the shop')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { name: 'deploys of the shop', level: 1 })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Actions for deploys of the shop' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('This key is revoked and no longer works')).toBeVisible()
  for (const token of [first, second]) expect((await read(token, '/api/credential')).status()).toBe(401)

  await page.goto('/workspaces/settings/api-keys')
  await page.getByRole('button', { name: 'Test a key' }).click()
  await page.getByLabel('Secret').fill(second)
  await page.getByRole('button', { name: 'Test key' }).click()
  await expect(page.getByText('The key "deploys of the shop" was revoked. Make a new one.')).toBeVisible()
  await page.getByLabel('Secret').fill(`${second.slice(0, -1)}-`)
  await page.getByRole('button', { name: 'Test key' }).click()
  await expect(page.getByText('This is no API key: a character is wrong or missing.')).toBeVisible()
})
