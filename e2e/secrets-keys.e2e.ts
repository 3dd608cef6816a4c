import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

test('an owner sees the keys, the guide to change them, and that everything opens', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  await session.client.call('secrets.create', { body: { name: 'kept', value: 'canary-kept' } })
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto('/secrets')
  await page.getByRole('button', { name: 'More about secrets' }).click()
  await page.getByRole('menuitem', { name: 'Encryption keys' }).click()
  await expect(
    page.getByText('1 value is sealed with the key of this organization, which the present root key wraps.'),
  ).toBeVisible()
  const { rootKeyFingerprint } = await session.client.call('secrets.keys')
  await expect(page.getByText(rootKeyFingerprint).first()).toBeVisible()
  await expect(page.getByText('Never verified yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Verify now' }).click()
  await expect(page.getByText('Everything opens, and the audit chain holds')).toBeVisible()
  await expect(page.getByText('1 of 1 value', { exact: true })).toBeVisible()
  await expect(page.getByText(/everything opened and the chain held/)).toBeVisible()
  expect(await axeFindings(page, { within: '#main' })).toEqual([])
})
