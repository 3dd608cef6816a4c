import type { Browser } from '@playwright/test'
import { guardedRoutes } from '../tools/all-routes.ts'
import { seedOrganization } from '../tools/seed-organization.ts'
import { report } from './figure.ts'
import { visitorOf } from './page-load.ts'
import { openShiftPage } from './page-shift.ts'
import type { PageShift } from './page-shift.ts'
import { untilQuiet } from './until-quiet.ts'
import { withBrowser } from './with-browser.ts'

const conditions = [
  { width: 1440, height: 900, isWarm: false },
  { width: 1440, height: 900, isWarm: true },
  { width: 390, height: 844, isWarm: false },
  { width: 390, height: 844, isWarm: true },
]
const maxShift = 0.005
/** Shifts are no times: several pages may be loaded at once, and one waits while another works. */
const atOnce = 5

type Condition = (typeof conditions)[number]
type Measured = PageShift & { path: string }

/**
 * How far each page moves while its data come, with data: the pages above the goal as they are found, and the worst of
 * all. `-- --page=/secrets` measures only the pages whose address begins with that.
 */
export async function run(): Promise<void> {
  await withBrowser(async ({ bey, browser, session }) => {
    const asked = process.argv.find((each) => each.startsWith('--page='))?.slice('--page='.length) ?? ''
    const routes = [...new Set(guardedRoutes(await seedOrganization(session)))].filter((path) =>
      path.startsWith(asked),
    )
    await untilQuiet(session)
    const measured = await measureAll(browser, bey.url, routes, await visitorOf(browser, session))
    for (const [index, condition] of conditions.entries()) reportWorst(condition, measured[index] ?? [])
  })
}

/** For each condition what each page did under it. */
async function measureAll(
  browser: Browser,
  url: string,
  paths: readonly string[],
  visitor: Readonly<Record<string, string>>,
): Promise<Measured[][]> {
  const measured = conditions.map((): Measured[] => [])
  const waiting = [...paths]
  const measureSome = async () => {
    // A context each: tabs of one browser would hear of each other's storage.
    const page = await openShiftPage(await browser.newContext(), visitor)
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      for (const [index, condition] of conditions.entries()) {
        const result = { path, ...(await page.load(`${url}${path}`, condition)) }
        measured[index]?.push(result)
        if (result.shift > maxShift) reportShift(`${path} at ${textOf(condition)}`, result)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, measureSome))
  return measured
}

function reportWorst(condition: Condition, pages: readonly Measured[]): void {
  const [worst] = pages.toSorted((one, other) => other.shift - one.shift)
  if (worst) reportShift(`worst of ${pages.length} pages at ${textOf(condition)}`, worst, worst.path)
}

function reportShift(name: string, { shift, moved }: PageShift, detail = ''): void {
  report({ name, value: shift, unit: '', goal: maxShift, detail, cause: `moved: ${moved}` })
}

function textOf({ width, height, isWarm }: Condition): string {
  return `${width} × ${height}, ${isWarm ? 'warm' : 'cold'}`
}
