import type { Page } from '@playwright/test'
import type {} from '../packages/console/src/lib/asked-ahead.ts'
import { landingPages } from '../packages/console/build/landing-pages.ts'
import { expect, newcomer, signUp, test } from './bey.ts'

/** What a browser may ask for on a landing page, from the document to the end of the first idle moment. */
const mostRequests = 35
/** The page's own chunk may be small; what it shares with others comes in a few large files. */
const smallestSharedBytes = 4_096

interface Loaded {
  path: string
  startTime: number
  bytes: number
}

test('a landing page needs few files, and its data are asked for before its code has come', async ({
  page,
}) => {
  await signUp(page, newcomer())
  for (const { path } of landingPages.filter((each) => !each.path.includes('*'))) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
    const loaded = await filesOf(page)
    const scripts = loaded.filter((each) => each.path.endsWith('.js'))
    expect(1 + loaded.length, `${path}: ${loaded.map((each) => each.path).join(', ')}`).toBeLessThanOrEqual(
      mostRequests,
    )
    const small = scripts.filter(({ path: name, bytes }) => bytes < smallestSharedBytes && !isOwnFile(name))
    expect(
      small.map((each) => each.path),
      path,
    ).toEqual([])

    // Whatever was asked for ahead was also taken: the page needs exactly these.
    expect(await page.evaluate(() => [...(window.beyAskedAhead?.keys() ?? ['nothing asked'])]), path).toEqual(
      [],
    )
  }
})

function filesOf(page: Page): Promise<Loaded[]> {
  return page.evaluate(() =>
    performance.getEntriesByType('resource').map((entry) => ({
      path: entry.name.replace(location.origin, ''),
      startTime: entry.startTime,
      bytes: (entry as PerformanceResourceTiming).encodedBodySize,
    })),
  )
}

/** Files of the page itself, and those that a browser asks for by name. */
function isOwnFile(path: string): boolean {
  return /-page-|theme-boot|rolldown-runtime/.test(path)
}
