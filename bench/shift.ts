import { chromium } from '@playwright/test'
import type { Browser } from '@playwright/test'
import { guardedRoutes } from '../tools/all-routes.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { seedOrganization } from '../tools/seed-organization.ts'
import { report } from './figure.ts'
import { loadPage, visitorOf } from './page-load.ts'

const screens = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const maxShift = 0.005

/** How far each page moves while its data come, with data: the pages above the goal, and the worst of all. */
export async function run(): Promise<void> {
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
    const routes = [...new Set(guardedRoutes(await seedOrganization(session)))]
    const visitor = await visitorOf(browser, session)
    for (const screen of screens) await measureScreen(browser, bey.url, routes, visitor, screen)
  } finally {
    await browser.close()
    await bey.stop()
    removeData(bey)
  }
}

async function measureScreen(
  browser: Browser,
  url: string,
  routes: readonly string[],
  visitor: Readonly<Record<string, string>>,
  screen: { width: number; height: number },
): Promise<void> {
  const size = `${screen.width} × ${screen.height}`
  let worst = { path: '', shift: 0 }
  for (const path of routes) {
    const { shift } = await loadPage(browser, `${url}${path}`, visitor, { screen })
    if (shift > worst.shift) worst = { path, shift }
    if (shift > maxShift) report({ name: `${path} at ${size}`, value: shift, unit: '', goal: maxShift })
  }
  report({
    name: `worst of ${routes.length} pages at ${size}`,
    value: worst.shift,
    unit: '',
    goal: maxShift,
    detail: worst.path,
  })
}
