import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

const badge = (page: Page) => page.getByRole('contentinfo').getByRole('button', { name: /version details/ })
const warning = 'Client/Server version mismatch detected'

async function enter(page: Page, url: string): Promise<void> {
  const session = await signUpByApi(url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto('/')
}

test('the badge says what runs here and there, and what is copied of it is fit for a report', async ({
  page,
  context,
  bey,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const reads: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/version.json')) reads.push(request.url())
  })
  await enter(page, bey.url)
  await badge(page).click()
  const details = page.getByRole('dialog', { name: 'Version' })
  await expect(details.getByText('Commit')).toBeVisible()
  await expect(details.getByText('Built')).toBeVisible()
  await expect(details.getByText('Server', { exact: true })).toBeVisible()
  await details.getByRole('button', { name: 'Copy for a bug report' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/Console: \d+\.\d+\.\d+\nCommit: .+\nBuilt: .+Z\n/)
  expect(copied).toMatch(/Server: \d+\.\d+\.\d+\nServer deployment: \w+\nRuntime: Node/)
  // Read once a page, its fields entries of the page's head.
  expect(reads).toHaveLength(1)
  const info = (await (await page.request.get('/version.json')).json()) as Record<string, string>
  for (const [name, value] of Object.entries(info)) {
    await expect(page.locator(`meta[name="bey:${name}"]`)).toHaveAttribute('content', value)
  }
})

test('a server of another deployment is warned of, and one click reloads the page', async ({ page, bey }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  await page.route('**/api/v1/status', async (route) => {
    const response = await route.fetch()
    const status = (await response.json()) as Record<string, unknown>
    await route.fulfill({ response, json: { ...status, deploymentId: 'another' } })
  })
  await enter(page, bey.url)
  await expect(page.getByText(warning)).toBeVisible()
  await expect(page.getByRole('banner').getByText('live')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload' }).click()])
  await page.unroute('**/api/v1/status')
  await page.reload()
  await expect(badge(page)).toBeVisible()
  await expect(page.getByText(warning)).toHaveCount(0)
})

test('a version.json that cannot be read leaves the development version and a warning in the console', async ({
  page,
  bey,
}) => {
  const warnings: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  await page.route('**/version.json', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await enter(page, bey.url)
  await expect(badge(page)).toContainText('v0.0.0-dev')
  await expect(page.locator('meta[name="bey:deploymentId"]')).toHaveAttribute('content', 'development')
  await expect.poll(() => warnings.join()).toContain('version.json could not be read')
  await expect(page.getByText(warning)).toHaveCount(0)
})

test('the changelog is marked until it is opened, and is searched by words and kinds', async ({
  page,
  bey,
}) => {
  await enter(page, bey.url)
  await expect(badge(page)).toHaveAccessibleName(/unread changelog/)
  await page.getByRole('button', { name: /My Account/ }).click()
  await page.getByRole('menuitem', { name: /Changelog\s*new/ }).click()
  await expect(page.getByRole('heading', { name: 'Changelog' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 3, name: 'Added' }).first()).toBeVisible()
  await expect(badge(page)).not.toHaveAccessibleName(/unread changelog/)
  await page
    .getByRole('link', { name: /link to this version/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/changelog#v\d/)
  await page.getByLabel('Search changes').fill('kubectl')
  await expect(page.getByText(/\d+ changes? found/)).toBeVisible()
  await expect(page).toHaveURL(/q=kubectl/)
  await expect(page.locator('mark').first()).toHaveText(/kubectl/i)
  await page.getByLabel('Search changes').fill('no such change')
  await expect(page.getByRole('heading', { name: 'No change holds "no such change"' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.reload()
  await expect(badge(page)).not.toHaveAccessibleName(/unread changelog/)
})
