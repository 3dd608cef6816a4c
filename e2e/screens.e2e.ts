import AxeBuilder from '@axe-core/playwright'
import type { BrowserContext, Page } from '@playwright/test'
import { guardedRoutes, publicRoutes } from '../tools/all-routes.ts'
import type { RouteIds } from '../tools/all-routes.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { seedOrganization } from '../tools/seed-organization.ts'
import { expect, newcomer, test } from './bey.ts'

type Visit = { context: BrowserContext; page: Page; errors: string[] }

let token = ''
let ids: RouteIds

test.describe.configure({ mode: 'serial', timeout: 300_000 })

test.beforeAll(async ({ bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  token = session.token
  ids = await seedOrganization(session)
})

for (const theme of ['light', 'dark'] as const) {
  test(`every screen has a heading, a title, no console error and nothing that axe finds, in ${theme}`, async ({
    browser,
    baseURL,
  }) => {
    const findings: string[] = []
    for (const [routes, key] of [
      [publicRoutes, ''],
      [guardedRoutes(ids), token],
    ] as const) {
      const visit = await open(
        browser,
        { colorScheme: theme, viewport: { width: 1440, height: 900 }, baseURL },
        key,
      )
      for (const route of routes) findings.push(...(await inspect(visit, route)))
      await visit.context.close()
    }
    expect(findings).toEqual([])
  })
}

test('no screen is wider than a phone of 360 px', async ({ browser, baseURL }) => {
  const visit = await open(browser, { viewport: { width: 360, height: 780 }, baseURL }, token)
  const wide: string[] = []
  for (const route of guardedRoutes(ids)) {
    await visit.page.goto(route)
    await settled(visit.page)
    const width = await visit.page.evaluate(() => document.documentElement.scrollWidth)
    if (width > 360) wide.push(`${route}: ${width} px`)
  }
  await visit.context.close()
  expect(wide).toEqual([])
})

async function open(
  browser: { newContext(options: object): Promise<BrowserContext> },
  options: object,
  key: string,
): Promise<Visit> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  if (key) await context.addInitScript((value) => localStorage.setItem('bey-token', value), key)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  return { context, page, errors }
}

async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  // What is still being read keeps its room under this name.
  await expect(page.getByLabel('Loading...')).toHaveCount(0)
}

async function inspect({ page, errors }: Visit, route: string): Promise<string[]> {
  errors.length = 0
  await page.goto(route)
  await settled(page)
  const { violations } = await new AxeBuilder({ page }).analyze()
  const title = await page.title()
  // A row that is not there is answered 404, which the browser notes by itself.
  const unexpected = errors.filter((text) => !text.startsWith('Failed to load resource'))
  return [
    ...violations.map((found) => `${route}: ${found.id}: ${found.nodes[0]?.html.slice(0, 160)}`),
    ...unexpected.map((text) => `${route}: console: ${text}`),
    ...(title.length > 3 ? [] : [`${route}: title "${title}"`]),
  ]
}
