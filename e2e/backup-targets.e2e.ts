import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

test('a bucket for backups is tried with its problem in words, added, changed and deleted', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await enterWith(page, session.token)
  await page.goto('/databases')
  await page.getByRole('link', { name: 'Backup targets' }).click()
  await expect(page.getByText('If this machine is lost, its databases and these backups')).toBeVisible()
  await page.getByRole('button', { name: 'Add bucket' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add bucket' }).click()
  await expect(dialog.getByText('Enter a secret access key.')).toBeVisible()
  await dialog.getByLabel('Name').fill('Frankfurt')
  await dialog.getByLabel('Endpoint').fill('http://127.0.0.1:1')
  await dialog.getByLabel('Region').fill('eu-central-1')
  await dialog.getByLabel('Bucket', { exact: true }).fill('backups')
  await dialog.getByLabel('Access key', { exact: true }).fill('AKIA1')
  await dialog.getByLabel('Secret access key').fill('canary-secret')
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.getByText('127.0.0.1:1 refused the connection.')).toBeInViewport()
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add bucket' }).click()
  const bucket = page.getByRole('region', { name: 'Frankfurt' })
  await expect(bucket).toContainText('http://127.0.0.1:1')

  await bucket.getByRole('button', { name: 'Change' }).click()
  await expect(dialog.getByLabel('Secret access key')).toHaveValue('')
  await dialog.getByLabel('Region').fill('eu-west-1')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(bucket).toContainText('eu-west-1')
  await bucket.getByRole('button', { name: 'Test' }).click()
  await expect(bucket).toContainText('It did not work when it was last tested')
  expect(await axeFindings(page)).toEqual([])
  await bucket.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete target' }).click()
  await expect(page.getByText('No bucket yet.')).toBeVisible()
})
