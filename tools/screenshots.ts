// `npm run screenshots`: every route × light and dark × desktop and phone, against a seeded organization, for people to look at.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { guardedRoutes, publicRoutes } from './all-routes.ts'
import { signUpByApi } from './api-session.ts'
import { removeData, startBey } from './bey-server.ts'
import { seedOrganization } from './seed-organization.ts'
import { root } from './source-files.ts'

const viewports = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const only = process.argv.slice(2)

const bey = await startBey()
const browser = await chromium.launch({
  executablePath: process.env['BEY_CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const session = await signUpByApi(bey.url, {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    password: 'difference-engine-1!',
    organization: 'Analytical Engines',
  })
  const ids = await seedOrganization(session)
  for (const [size, viewport] of Object.entries(viewports)) {
    for (const theme of ['light', 'dark'] as const) {
      const folder = join(root, 'screenshots', `${size}-${theme}`)
      mkdirSync(folder, { recursive: true })
      for (const [routes, token] of [
        [publicRoutes, undefined],
        [guardedRoutes(ids), session.token],
      ] as const) {
        const context = await browser.newContext({ viewport, colorScheme: theme, baseURL: bey.url })
        if (token) await context.addInitScript((value) => localStorage.setItem('bey-token', value), token)
        const page = await context.newPage()
        for (const route of routes.filter((path) => only.length === 0 || only.includes(path))) {
          await page.goto(route)
          await page.waitForLoadState('networkidle')
          await page.screenshot({ path: join(folder, `${fileName(route)}.png`) })
        }
        await context.close()
      }
    }
  }
  console.log(`Screenshots are in ${join(root, 'screenshots')}`)
} finally {
  await browser.close()
  await bey.stop()
  removeData(bey)
}

function fileName(route: string): string {
  return route === '/' ? 'dashboard' : route.slice(1).replace(/[/.]/g, '-')
}
