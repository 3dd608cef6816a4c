import type { Page } from '@playwright/test'
import { cssTextOf, generateTheme } from '../packages/console/src/ui/theme/generate.ts'
import { guardedRoutes, publicRoutes } from '../tools/all-routes.ts'
import type { RouteIds } from '../tools/all-routes.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { seedOrganization } from '../tools/seed-organization.ts'
import { axeFindings } from './axe.ts'
import type { AxeScope } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'
import { screenHeadings } from './screen-headings.ts'

type Seeded = { token: string; ids: RouteIds }

/** Once for each server: parallel tests share no hooks, but those of a worker this module. */
const seededBy = new Map<string, Promise<Seeded>>()

function seeded(url: string): Promise<Seeded> {
  const known = seededBy.get(url) ?? seed(url)
  seededBy.set(url, known)
  return known
}

async function seed(url: string): Promise<Seeded> {
  const session = await signUpByApi(url, newcomer())
  return { token: session.token, ids: await seedOrganization(session) }
}

test.describe.configure({ mode: 'parallel', timeout: 240_000 })
test.use({ colorScheme: 'light' })

/** Sidebar and header. */
const frame = ['aside', 'header:not(main header)']

// Grounds of middle lightness, glaring or murky accents, no contrast and all of it.
const customThemes = [
  { base: [54, 60, 130], accent: [95, 100, 110], contrast: 0 },
  { base: [36, 90, 300], accent: [10, 60, 30], contrast: 100 },
] as const

const areas = {
  'outside the console': /^(?:login|signup|forgot-password)$|^(?:share|invite|reset-password|oauth)/,
  'of clusters': /^(?:kubernetes|debug-clusters)/,
  'of workflows, secrets and databases': /^(?:workflows|secrets|databases|networking)/,
  'of workspaces': /^workspaces/,
}

const areaOf = (route: string) =>
  Object.entries(areas).find(([, pattern]) => pattern.test(route.slice(1)))?.[0] ?? 'anywhere else'

/** Forms that are empty, pages of the browser alone, and what is not there: they read nothing that a shell could show. */
const readsNothing =
  /^\/(?:kubernetes\/clusters\/import|workspaces\/(?:create|settings\/(?:api-keys\/create|appearance))|secrets\/(?:create|import)|workflows\/runs\/compare|analytics\/dashboard\/\d+|changelog|test-api|logger-demo|docs(?:\/.*)?|demo\/visit|there\/.*)$/

/** What a page shows can be had in a shell. */
async function withoutCommands(page: Page): Promise<string[]> {
  if (readsNothing.test(new URL(page.url()).pathname)) return []
  await page.getByRole('button', { name: 'CLI and API' }).click()
  const drawer = page.getByRole('dialog', { name: 'CLI and API' })
  const commands = drawer.getByRole('region', { name: /, with bey$/ })
  await commands
    .first()
    .waitFor({ timeout: 10_000 })
    .catch(() => undefined)
  const count = await commands.count()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  return count > 0 ? [] : ['has no command in "CLI and API"']
}

for (const area of [...Object.keys(areas), 'anywhere else']) {
  test(`every screen ${area} has a heading, a title, no console error, room on a phone and nothing that axe finds`, async ({
    page,
    bey,
  }) => {
    const { token, ids } = await seeded(bey.url)
    const isPublic = area === 'outside the console'
    if (!isPublic) await enterWith(page, token)
    const routes = [...publicRoutes, ...guardedRoutes(ids)].filter((route) => areaOf(route) === area)
    const errors = listen(page)
    const findings: string[] = []
    for (const [index, route] of routes.entries()) {
      errors.length = 0
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(route)
      await settled(page)
      const heading = screenHeadings[route]
      if (heading)
        await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible()
      // The frame around the pages is the same on all of them.
      const scope = isPublic || index === 0 ? {} : { except: frame }
      const found = [
        ...(isPublic ? [] : await withoutCommands(page)),
        ...(await inspect(page, scope)),
        ...(await inspectColours(page, scope)),
        ...(await onPhone(page)),
      ]
      findings.push(...[...found, ...errors].map((text) => `${route}: ${text}`))
    }
    expect(findings).toEqual([])
  })
}

/** Collects what the page prints as an error, and what it throws. */
function listen(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => {
    // A row that is not there is answered 404, which the browser notes by itself.
    const isExpected = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isExpected) errors.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => errors.push(error.message))
  return errors
}

async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  // What is still being read keeps its room under this name.
  await expect(page.getByLabel('Loading...').or(page.getByText('Loading...'))).toHaveCount(0)
}

async function inspect(page: Page, scope: AxeScope): Promise<string[]> {
  const title = await page.title()
  return [...(await axeFindings(page, scope)), ...(title.length > 3 ? [] : [`title "${title}"`])]
}

/** The colours alone, which are all that depends on the theme, in dark and in two custom themes. */
async function inspectColours(page: Page, where: AxeScope): Promise<string[]> {
  const scope: AxeScope = { ...where, rule: 'color-contrast' }
  // Colours must not be read while they fade into one another.
  await page.addStyleTag({ content: '*, ::before, ::after { transition-property: none !important }' })
  await page.emulateMedia({ colorScheme: 'dark' })
  const findings = (await axeFindings(page, scope)).map((text) => `in dark: ${text}`)
  for (const theme of customThemes) {
    await page.evaluate(
      (css) => (document.documentElement.style.cssText = css),
      cssTextOf(generateTheme(theme)),
    )
    const found = await axeFindings(page, scope)
    findings.push(...found.map((text) => `in the custom theme ${theme.base.join(' ')}: ${text}`))
  }
  return findings
}

/** Nothing is wider than a phone of 360 px. */
async function onPhone(page: Page): Promise<string[]> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 360, height: 780 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  if (size) await page.setViewportSize(size)
  return width > 360 ? [`${width} px wide on a phone of 360 px`] : []
}
