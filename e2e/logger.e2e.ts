import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

let token = ''

test.beforeAll(async ({ bey }) => {
  token = (await signUpByApi(bey.url, newcomer())).token
})

test.beforeEach(async ({ page }) => {
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), token)
})

const kept = (page: Page) => page.getByRole('log', { name: 'Kept lines' })

test('a message of any level is logged, the field is cleared, and the lines outlive a reload', async ({
  page,
}) => {
  const printed: string[] = []
  page.on('console', (message) => printed.push(`${message.type()}: ${message.text()}`))
  await page.goto('/logger-demo')
  const message = page.getByLabel('Message')
  const button = page.getByRole('button', { name: 'Log Message' })
  await page.getByLabel('Log level').selectOption('trace')
  await expect(button).toBeDisabled()
  await message.fill('   ')
  await expect(button).toBeDisabled()
  for (const level of ['trace', 'debug', 'info', 'success', 'warning', 'error', 'fatal']) {
    await page.getByLabel('Level', { exact: true }).selectOption(level)
    await message.fill(`a ${level} with token=hunter2`)
    await button.click()
    await expect(message).toHaveValue('')
  }
  await page.reload()
  await expect(kept(page)).toContainText('a fatal with token=[redacted]')
  await expect(kept(page)).toContainText('a trace with token=[redacted]')
  expect(printed).toContain('warning: a warning with token=[redacted]')
  expect(printed).toContain('error: a error with token=[redacted]')
  expect(printed.join()).not.toContain('hunter2')

  await page.getByLabel('Level of the lines').selectOption('success')
  await expect(kept(page)).not.toContainText('a fatal')
  await expect(kept(page)).toContainText('a success')
  await page.getByLabel('Filter lines').fill('nothing like it')
  await expect(kept(page)).toHaveText('No line matches the filter.')
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await page.getByLabel('Level of the lines').selectOption('')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('bey-console.log')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(kept(page)).toHaveText('There is no line yet.')
})

test('a simulated call shows Loading... for 1.5 s, then succeeds or fails with API call failed', async ({
  page,
}) => {
  await page.goto('/logger-demo')
  const call = async (draw: number) => {
    await page.evaluate((value) => (Math.random = () => value), draw)
    const startedAt = Date.now()
    await page.getByRole('button', { name: 'Simulate API Call' }).click()
    await expect(page.getByRole('button', { name: 'Loading...' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Simulate API Call' })).toBeVisible()
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1490)
  }
  await call(0.71)
  await expect(page.getByRole('status').getByText('API call failed')).toBeVisible()
  await expect(kept(page)).toContainText('API call failed')
  await call(0.69)
  await expect(page.getByText(/^Succeeded after/)).toBeVisible()
  await expect(kept(page)).toContainText('API call succeeded')
})

test('the log level is info unless one of the six is stored, and less is not written', async ({ page }) => {
  await page.addInitScript(() => {
    if (!sessionStorage.getItem('spoiled')) localStorage.setItem('bey-log-level', 'verbose')
    sessionStorage.setItem('spoiled', 'yes')
  })
  await page.goto('/logger-demo')
  await expect(page.getByLabel('Log level')).toHaveValue('info')
  await page.getByLabel('Level', { exact: true }).selectOption('debug')
  await page.getByLabel('Message').fill('too quiet')
  await expect(page.getByText('Not written: the log level is info, and debug weighs less.')).toBeVisible()
  await page.getByRole('button', { name: 'Log Message' }).click()
  await page.getByLabel('Log level').selectOption('debug')
  await page.getByLabel('Message').fill('loud enough')
  await page.getByRole('button', { name: 'Log Message' }).click()
  await expect(kept(page)).toContainText('loud enough')
  await expect(kept(page)).not.toContainText('too quiet')
  await page.reload()
  await expect(page.getByLabel('Log level')).toHaveValue('debug')
})

test('a version.json or status that cannot be read costs a warning in the console and nothing else', async ({
  page,
}) => {
  const printed: string[] = []
  page.on('console', (message) => printed.push(`${message.type()}: ${message.text().split(' {')[0]}`))
  await page.route('**/version.json', (route) => route.fulfill({ status: 503, body: 'no' }))
  await page.route('**/api/v1/status', (route) => route.fulfill({ status: 503, body: 'no' }))
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  // The status is asked for again when the socket stands.
  const warnings = () => [...new Set(printed.filter((line) => line.startsWith('warning')))].toSorted()
  await expect
    .poll(warnings)
    .toEqual([
      'warning: The status of the server could not be read',
      'warning: version.json could not be read',
    ])
  await expect(page.getByText('Client/Server version mismatch detected')).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
})
