import { readFile } from 'node:fs/promises'
import { axeFindings } from './axe.ts'
import { enterWith, expect, test } from './bey.ts'
import { givenDatabase } from './given-database.ts'

test('a user is added to a database, a parameter and the allow-list change after their plan was shown', async ({
  page,
  bey,
}) => {
  const { session, id, isAvailable } = await givenDatabase(bey, 'orders')
  await enterWith(page, session.token)

  await page.goto(`/databases/${id}?tab=manage`)
  await page.getByRole('button', { name: 'Add user…' }).click()
  await page.getByLabel('Name').fill('O"Neil')
  await page.getByRole('button', { name: 'Add user', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Connection string' })).toHaveValue(
    /postgresql:\/\/O%22Neil:/,
  )
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByRole('row', { name: /O"Neil/ })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.getByText('Parameters', { exact: true }).click()
  await page.getByPlaceholder('Filter parameters').fill('statement_timeout')
  await page.getByRole('button', { name: 'Change statement_timeout' }).click()
  await page.getByLabel('Value').fill('45s')
  await page.getByRole('button', { name: 'Show the plan' }).click()
  await expect(page.getByText('0 → 45s')).toBeVisible()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await isAvailable()
  await page.reload()
  await page.getByText('Parameters', { exact: true }).click()
  await expect(page.getByRole('row', { name: /statement_timeout/ }).first()).toContainText('45s')

  await page.goto('/databases')
  await expect(page.getByRole('row', { name: /orders/ })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/tab=connect/)
  await page.keyboard.press('9')
  await expect(page).toHaveURL(/tab=manage/)
  await page.keyboard.press('2')
  await page.getByRole('button', { name: 'Edit…' }).click()
  await page.getByRole('button', { name: 'Add network' }).click()
  await page.getByRole('textbox', { name: 'Network 1' }).fill('10.20.0.7/16')
  await page.getByRole('button', { name: 'Show the plan' }).click()
  await expect(page.getByText('The network is 10.20.0.0/16.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Network 1' }).fill('10.20.0.0/16')
  await page.getByRole('button', { name: 'Show the plan' }).click()
  await expect(page.getByText('this machine only → 10.20.0.0/16')).toBeVisible()
  await page.getByRole('button', { name: 'Change and restart' }).click()
  await expect(page.getByRole('region', { name: 'Allow-list' })).toContainText('10.20.0.0/16')
  const string = page.getByRole('region', { name: 'Connection string' })
  await page.getByRole('group', { name: 'Where the client runs' }).getByText('In an admitted network').click()
  await expect(string).toContainText('?sslmode=verify-full&sslrootcert=bey-ca.pem')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download bey-ca.pem' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('bey-ca.pem')
  expect(await readFile(await saved.path(), 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----\n/)
  expect(await axeFindings(page)).toEqual([])
})
