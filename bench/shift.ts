import { chromium } from '@playwright/test'
import type { Browser } from '@playwright/test'
import { guardedRoutes } from '../tools/all-routes.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { seedOrganization } from '../tools/seed-organization.ts'
import { report } from './figure.ts'
import { loadPage, visitorOf } from './page-load.ts'
import { untilQuiet } from './until-quiet.ts'

const screens = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const maxShift = 0.005
const atOnce = 3

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
    await untilQuiet(session)
    const visitor = await visitorOf(browser, session)
    for (const isWarm of [false, true]) {
      for (const screen of screens) {
        await measureScreen(
          browser,
          routes.map((path) => ({ path, url: `${bey.url}${path}` })),
          {
            visitor,
            screen,
            isWarm,
          },
        )
      }
    }
  } finally {
    await browser.close()
    await bey.stop()
    removeData(bey)
  }
}

interface Conditions {
  visitor: Readonly<Record<string, string>>
  screen: { width: number; height: number }
  isWarm: boolean
}

async function measureScreen(
  browser: Browser,
  pages: readonly { path: string; url: string }[],
  { visitor, screen, isWarm }: Conditions,
): Promise<void> {
  const size = `${screen.width} × ${screen.height}, ${isWarm ? 'warm' : 'cold'}`
  const waiting = [...pages]
  let worst = { path: '', shift: 0 }
  const measureOnes = async () => {
    for (let page = waiting.shift(); page; page = waiting.shift()) {
      const { path, url } = page
      const { shift } = await loadPage(browser, url, visitor, { screen, isWarm })
      if (shift > worst.shift) worst = { path, shift }
      if (shift > maxShift) report({ name: `${path} at ${size}`, value: shift, unit: '', goal: maxShift })
    }
  }
  // Shifts are no times: several pages may be loaded at once.
  await Promise.all(Array.from({ length: atOnce }, measureOnes))
  report({
    name: `worst of ${pages.length} pages at ${size}`,
    value: worst.shift,
    unit: '',
    goal: maxShift,
    detail: worst.path,
  })
}
