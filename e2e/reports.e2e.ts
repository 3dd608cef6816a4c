import { readFileSync } from 'node:fs'
import { axeFindings } from './axe.ts'
import { expect, newcomer, signUp, test } from './bey.ts'

test('an owner previews an access review, schedules it, issues it, shares it by a link that expires, and takes it as PDF', async ({
  page,
  browser,
}) => {
  await signUp(page, newcomer())
  await page.goto('/analytics/reports')
  await expect(page.getByText('No reports yet')).toBeVisible()
  await page.getByRole('link', { name: 'Cost', exact: true }).click()
  const preview = page.frameLocator('iframe[title="Preview of the report"]')
  await expect(preview.getByText(/^Nothing that has a price was used/).first()).toBeVisible()
  await page.getByLabel('Kind').selectOption('Access review')
  await expect(preview.getByText('1 member and 0 API keys have access.')).toBeVisible()
  await expect(preview.getByText(/^Data as of/)).toBeVisible()
  await page.getByLabel('Name').fill('')
  await page.getByRole('button', { name: 'Create report' }).click()
  await expect(page.getByText('Enter a name for the report.')).toBeVisible()
  await page.getByLabel('Name').fill('Who may do what')
  await page.getByLabel('Schedule').selectOption('Every Monday, 06:00')
  await page.getByLabel('Ada Lovelace').check()
  await expect(page.getByText(/^No mail server is configured: recipients are not mailed/)).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Create report' }).click()

  await expect(page.getByRole('heading', { name: 'Who may do what', level: 1 })).toBeVisible()
  await expect(page.getByText('Not issued yet: this is what it says now.')).toBeVisible()
  await page.getByRole('button', { name: 'Issue and send' }).click()
  await expect(page.getByText(/No figure moved since then\.$/)).toBeVisible()
  await expect(
    page.frameLocator('iframe[title^="Paper:"]').getByText('1 member and 0 API keys have access.'),
  ).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'PDF' }).click()
  const file = await (await download).path()
  expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-')

  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByLabel('Expires after').selectOption('1 day')
  await page.getByRole('button', { name: 'Create link' }).click()
  const address = await page.getByRole('dialog').locator('code').textContent()
  const stranger = await browser.newContext()
  const reader = await stranger.newPage()
  await reader.goto(address ?? '')
  await expect(reader.getByText('1 member and 0 API keys have access.')).toBeVisible()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByText(/^revoked, by Ada Lovelace, opened once/)).toBeVisible()
  await reader.reload()
  await expect(reader.getByText(/This link opens nothing/)).toBeVisible()
  await stranger.close()
})
