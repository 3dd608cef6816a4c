// `npm run screenshots`: every route × light and dark × three sizes, against an organization in trouble, and the states
// in which a screen can be: healthy, empty, loading, error, stale, forbidden. For people to look at. Then the moving picture
// of the README. `npm run screenshots -- <path> …`: only these routes.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { guardedRoutes, publicRoutes } from './all-routes.ts'
import { type BeySession, signUpByApi } from './api-session.ts'
import { removeData, startBey } from './bey-server.ts'
import { embeddedDatabaseUrl, seedMetrics } from './seed-metrics.ts'
import { type ScreenState, screenStates } from './screenshot-states.ts'
import { seedCluster, seedOrganization } from './seed-organization.ts'
import { root } from './source-files.ts'

const viewports = {
  desktop: { width: 1440, height: 900 },
  laptop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
}
const themes = ['light', 'dark'] as const
const only = process.argv.slice(2)

type Shots = { token: string | undefined; routes: readonly string[]; state?: ScreenState }

const bey = await startBey()
const browser = await chromium.launch({
  executablePath: process.env['BEY_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const troubled = await signUp('Analytical Engines')
  const healthy = await signUp('Difference Engines')
  const empty = await signUp('Empty Engines')
  const ids = await seedOrganization(troubled)
  const healthyId = await seedCluster(healthy, 'prod-us-1')
  const databaseUrl = embeddedDatabaseUrl(bey.dataDir)
  const { clusters } = await troubled.client.call('clusters.list', { query: { status: 'RUNNING' } })
  await seedMetrics(
    troubled,
    databaseUrl,
    clusters.map(({ id }) => id),
  )
  await seedMetrics(healthy, databaseUrl, [healthyId])
  const shown = [
    '/',
    '/kubernetes/clusters',
    `/kubernetes/clusters/${ids.clusterId}`,
    '/workflows/runs',
    '/secrets',
    `/secrets/${ids.secretId}`,
  ]
  const sets: Shots[] = [
    { token: undefined, routes: publicRoutes },
    { token: troubled.token, routes: guardedRoutes(ids) },
    {
      token: healthy.token,
      routes: ['/', '/kubernetes/clusters', `/kubernetes/clusters/${healthyId}`],
      state: { name: 'healthy' },
    },
    {
      token: empty.token,
      routes: ['/', '/kubernetes/clusters', '/workflows/runs', '/secrets'],
      state: { name: 'empty' },
    },
    ...screenStates.map((state) => ({ token: troubled.token, routes: shown, state })),
  ]
  for (const [size, viewport] of Object.entries(viewports)) {
    for (const theme of themes) {
      for (const set of sets) await shoot(browser, set, `${size}-${theme}`, { viewport, colorScheme: theme })
    }
  }
  console.log(`Screenshots are in ${join(root, 'screenshots')}`)
} finally {
  await browser.close()
  await bey.stop()
  removeData(bey)
}
if (only.length === 0) await import('./moving-picture.ts')

async function shoot(
  from: Browser,
  { token, routes, state }: Shots,
  name: string,
  look: { viewport: { width: number; height: number }; colorScheme: (typeof themes)[number] },
): Promise<void> {
  const folder = join(root, 'screenshots', name, ...(state ? [state.name] : []))
  mkdirSync(folder, { recursive: true })
  for (const route of routes.filter((path) => only.length === 0 || only.includes(path))) {
    // A context each: a state of one page must not follow to the next.
    const context = await from.newContext({ ...look, baseURL: bey.url })
    if (token) await context.addInitScript((value) => localStorage.setItem('bey-token', value), token)
    await state?.prepare?.(context)
    const page = await context.newPage()
    await page.goto(route)
    await settle(page, state)
    await state?.enter?.(context, page)
    await page.screenshot({ path: join(folder, `${fileName(route)}.png`) })
    await context.close()
  }
}

async function settle(page: Page, state: ScreenState | undefined): Promise<void> {
  if (state?.isEndless) await page.getByRole('heading', { level: 1 }).first().waitFor()
  else await page.waitForLoadState('networkidle')
}

function signUp(organization: string): Promise<BeySession> {
  return signUpByApi(bey.url, {
    name: 'Ada Lovelace',
    email: `${organization.toLowerCase().replaceAll(' ', '.')}@example.com`,
    password: 'difference-engine-1!',
    organization,
  })
}

function fileName(route: string): string {
  return route === '/' ? 'dashboard' : route.slice(1).replace(/[/.?=]/g, '-')
}
