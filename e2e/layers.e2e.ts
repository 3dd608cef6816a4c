import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

const email = 'layers@bey.local'
test.use({ beyEnv: { BEY_DEVELOPER_EMAIL: email }, colorScheme: 'light' })

const inHeader = (page: Page, name: string | RegExp) => page.getByRole('banner').getByRole('button', { name })
const inBar = (page: Page, name: string | RegExp) =>
  page.getByRole('region', { name: 'Developer status bar' }).getByRole('button', { name })

/** What floats above a page, how it is opened, and words by which one knows that it is complete. */
const layers: { what: string; path: string; open: (page: Page) => Promise<void>; shows: string }[] = [
  {
    what: 'the notifications',
    path: '/workflows',
    open: (page) => inHeader(page, /^Notifications/).click(),
    shows: 'Provision cluster',
  },
  {
    what: 'the connection status',
    path: '/workflows',
    open: (page) => inHeader(page, /Connection status/).click(),
    shows: 'Ping time',
  },
  {
    what: 'the equivalent commands',
    path: '/kubernetes/clusters',
    open: (page) => inHeader(page, 'CLI and API').click(),
    shows: 'List these clusters',
  },
  {
    what: 'the shortcut sheet',
    path: '/workflows',
    open: (page) => page.keyboard.press('?'),
    shows: 'Keyboard shortcuts',
  },
  {
    what: 'the developer settings',
    path: '/workflows',
    open: (page) => inBar(page, 'Settings').click(),
    shows: 'Console log level',
  },
  {
    what: 'the engine debugger',
    path: '/workflows',
    open: (page) => inBar(page, /^WF Engine/).click(),
    shows: 'Registered Step Executors',
  },
]

test('nothing that floats above a page has a fault that axe finds, in light or dark', async ({
  page,
  bey,
}) => {
  test.setTimeout(120_000)
  const { client, token } = await signUpByApi(bey.url, { ...newcomer(), email })
  const { id } = await client.call('clusters.create', { body: { title: 'alpha', provider: 'sandbox' } })
  await expect
    .poll(async () => (await client.call('clusters.get', { params: { id } })).status, { timeout: 30_000 })
    .toBe('RUNNING')
  await page.addInitScript((value) => {
    localStorage.setItem('bey-token', value)
    localStorage.setItem('bey-workflow-debugger', 'true')
  }, token)
  const findings: string[] = []
  for (const { what, path, open, shows } of layers) {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(path)
    await expect(page.getByRole('banner').getByText('live')).toBeVisible()
    await expect(inBar(page, 'Settings')).toBeVisible()
    await open(page)
    await expect(page.getByRole('dialog').getByText(shows).first(), what).toBeVisible()
    findings.push(...(await axeFindings(page)).map((text) => `${what}: ${text}`))
    await page.emulateMedia({ colorScheme: 'dark' })
    const inDark = await axeFindings(page, { rule: 'color-contrast', within: '[role="dialog"]' })
    findings.push(...inDark.map((text) => `${what}, in dark: ${text}`))
  }
  expect(findings).toEqual([])
})
