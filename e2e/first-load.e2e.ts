import type { Page } from '@playwright/test'
import type {} from '../packages/console/src/lib/asked-ahead.ts'
import { landingPages } from '../packages/console/build/landing-pages.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, signUp, test } from './bey.ts'

/** What a browser may ask for on a landing page, from the document to the end of the first idle moment. */
const mostRequests = 35
/** Requests of an open dashboard during one run. */
const mostWhileRunning = 3
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

test('what a page has read is not read again when its live connection is there', async ({ page }) => {
  await signUp(page, newcomer())
  for (const { path } of landingPages.filter((each) => !each.path.includes('*'))) {
    await page.goto(path)
    await expect(page.getByRole('banner').getByText('live', { exact: true })).toBeVisible()
    await page.waitForLoadState('networkidle')
    const asked = (await filesOf(page)).flatMap((each) => (each.path.startsWith('/api/') ? [each.path] : []))
    const twice = asked.filter((each, index) => asked.indexOf(each) !== index)
    expect(asked.length, path).toBeGreaterThan(0)
    expect(twice, path).toEqual([])
  }
})

test('an open dashboard asks the API three times at most while a cluster comes, and while it goes', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const { client } = session
  const create = async (title: string) => {
    const nodeGroups = [{ name: 'n', count: 1, cpuCores: 1, memoryBytes: 1024 ** 3 }]
    return client.call('clusters.create', { body: { title, provider: 'sandbox', nodeGroups } })
  }
  const row = (title: string) =>
    page.getByRole('main').getByRole('link', { name: new RegExp(`healthy ${title}`) })
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await create('first')
  await page.goto('/')
  await expect(row('first').first()).toBeVisible({ timeout: 20_000 })
  await page.waitForLoadState('networkidle')

  await page.reload()
  await expect(row('first').first()).toBeVisible()
  const reads = (await filesOf(page)).filter((each) => each.path.startsWith('/api/'))
  // The user and the whole dashboard come first; everything else is asked for after them.
  expect(reads.map((each) => each.path).slice(0, 2)).toEqual(['/api/auth/me', '/api/analytics/overview'])
  await page.waitForLoadState('networkidle')

  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    // A look is noted by the clock, not because of a cluster.
    if (pathname.startsWith('/api/') && pathname !== '/api/analytics/visit') asked.push(pathname + search)
  })
  const second = await create('second')
  await expect(row('second').first()).toBeVisible({ timeout: 20_000 })
  await page.waitForLoadState('networkidle')
  const whileItCame = asked.splice(0)
  expect(whileItCame.length, whileItCame.join('\n')).toBeLessThanOrEqual(mostWhileRunning)

  await client.call('clusters.delete', { params: { id: second.id } })
  await expect(row('second')).toHaveCount(0, { timeout: 20_000 })
  await page.waitForLoadState('networkidle')
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(mostWhileRunning)
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
