/* oxlint-disable no-console -- what the page prints is what is tested */
import type { Page, Request } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

const logPath = '**/api/v1/errors/log'

/** Signs a person in whose console loads nothing else. */
async function signedIn(page: Page, url: string): Promise<Awaited<ReturnType<typeof signUpByApi>>> {
  const session = await signUpByApi(url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  return session
}

/** A row without what every cluster has, which no page can draw. */
async function breakClusters(page: Page): Promise<void> {
  await page.route(/\/api\/kubernetes\/clusters(\?|$)/, (route) =>
    route.fulfill({ json: { clusters: [{ id: 1, title: 'half' }], total: 1, page: 1, limit: 50 } }),
  )
}

const standing = (page: Page) => expect(page.getByRole('banner').getByText('live')).toBeVisible()

type Reported = { message: string; additionalContext?: { kind?: string; repeats?: number } }

function entriesOf(request: Request): Reported[] {
  const { errors }: { errors: Reported[] } = request.postDataJSON()
  return errors
}

test('a page that breaks tells the team, and the viewer shows why, where and what came before', async ({
  page,
  bey,
}) => {
  await signedIn(page, bey.url)
  await page.goto('/')
  await standing(page)
  await breakClusters(page)
  await page
    .getByRole('navigation', { name: 'Services' })
    .getByRole('button', { name: 'Kubernetes' })
    .first()
    .click()
  const sent = page.waitForRequest(logPath)
  await page
    .getByRole('navigation', { name: 'Services' })
    .getByRole('link', { name: 'Clusters' })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  const request = await sent
  expect(request.url()).not.toContain('bey_')
  expect(request.headers()['authorization']).toMatch(/^Bearer bey_session_/)
  expect(entriesOf(request)[0]).toMatchObject({
    message: expect.stringContaining('TypeError'),
    stack: expect.stringContaining('/assets/'),
    componentStack: expect.stringContaining('/assets/'),
    errorBoundary: 'route /kubernetes/clusters',
    url: `${bey.url}/kubernetes/clusters`,
    sessionId: expect.stringMatching(/^[0-9a-f]{32}$/),
    userId: expect.any(Number),
    organizationId: expect.any(Number),
    userAgent: expect.stringContaining('Chrome'),
    timestamp: expect.any(String),
  })
  await expect(page.getByText('Our team has been notified.')).toBeVisible()

  await page.getByRole('link', { name: 'See it in the error viewer' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /TypeError/ })).toBeVisible()
  const stack = page.getByRole('list', { name: 'Stack' })
  await expect(stack.getByText(/features\/clusters\/[\w-]+\.tsx?:\d+:\d+/).first()).toBeVisible()
  await expect(page.getByRole('region', { name: /^Source of .*clusters/ }).first()).toBeVisible()
  await expect(page.getByRole('list', { name: 'Components' })).toBeVisible()
  const crumbs = page.getByRole('list', { name: 'Breadcrumbs' })
  await expect(crumbs.getByText('GET /api/kubernetes/clusters')).toBeVisible()
  await expect(crumbs.getByText('link “Clusters”')).toBeVisible()
  await expect(page.getByText('Ada Lovelace').first()).toBeVisible()

  await page.getByRole('button', { name: 'Resolve' }).click()
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  const address = page.url()
  await page.goto('/kubernetes/clusters')
  await expect(page.getByText('Our team has been notified.')).toBeVisible()
  await page.goto(address)
  await expect(page.getByText('came back').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Resolve' })).toBeVisible()
})

test('window errors, unhandled rejections and console errors reach the open viewer with file, line and stack', async ({
  page,
  bey,
}) => {
  await signedIn(page, bey.url)
  await page.goto('/errors')
  await standing(page)
  await expect(page.getByRole('heading', { name: 'No open errors' })).toBeVisible()
  // On a slow machine a batch is sent before all has been printed.
  const entries: Reported[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/v1/errors/log') entries.push(...entriesOf(request))
  })
  await page.evaluate(() => {
    setTimeout(() => {
      throw new RangeError('Thrown at the window')
    })
    void Promise.reject(new Error('Rejected, password=hunter2'))
    for (let count = 0; count < 500; count += 1) console.error('Printed by %s', 'a loop')
  })
  const of = (kind: string) => entries.filter(({ additionalContext }) => additionalContext?.kind === kind)
  await expect
    .poll(() =>
      of('console').reduce((sum, { additionalContext }) => sum + 1 + (additionalContext?.repeats ?? 0), 0),
    )
    .toBe(500)
  await expect.poll(() => entries.length - of('console').length).toBe(2)
  expect(of('console')[0]?.message).toBe('Printed by a loop')
  expect(of('error')[0]).toMatchObject({
    message: 'RangeError: Thrown at the window',
    line: expect.any(Number),
    column: expect.any(Number),
    stack: expect.stringContaining('Thrown at the window'),
  })
  expect(of('rejection')[0]?.message).toBe('Rejected, password=[redacted]')
  const table = page.getByRole('table', { name: 'Errors' })
  await expect(table.getByRole('row', { name: /Printed by a loop/ })).toContainText('500')

  await page.getByLabel('Filter errors').fill('window')
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(/q=window/)
  await page.getByLabel('Filter errors').fill('')
  await page.getByLabel('Kind').selectOption({ label: 'unhandled rejection' })
  await expect(page).toHaveURL(/type=rejection/)
  await expect(table.getByRole('row')).toHaveCount(2)
  await page.getByLabel('Kind').selectOption({ label: 'All kinds' })
  await table.getByRole('button', { name: 'Events' }).click()
  await expect(page).toHaveURL(/sort=occurrenceCount/)

  await page.getByRole('button', { name: /Actions for Printed by a loop/ }).click()
  await page.getByRole('menuitem', { name: 'Resolve' }).click()
  await expect(table.getByText('Printed by a loop')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(table.getByText('Printed by a loop')).toBeVisible()
  const message = table.getByRole('columnheader', { name: 'Error', exact: true })
  const room = async () => (await message.boundingBox())?.width ?? 0
  await expect(table.getByRole('columnheader', { name: 'Status' })).toHaveCount(0)
  const alone = await room()
  await page.getByLabel('Status', { exact: true }).selectOption('All statuses')
  await expect(table.getByRole('columnheader', { name: 'Status' })).toBeVisible()
  expect(alone).toBeGreaterThan(await room())
  await page.getByLabel('Status', { exact: true }).selectOption('ignored')
  await expect(page.getByText(/Nothing matches/)).toBeVisible()
})

test('selected errors are resolved together, taken back together, and what fails stays selected', async ({
  page,
  bey,
}) => {
  const { client } = await signedIn(page, bey.url)
  const timestamp = new Date().toISOString()
  const errors = ['Alpha', 'Beta', 'Gamma'].map((message) => ({ message, timestamp }))
  const { errorIds } = await client.call('errors.log', { body: { errors } })
  await page.goto('/errors')
  await standing(page)
  const rows = page.getByRole('main').getByRole('row')
  await expect(rows).toHaveCount(4)
  const headTop = await rows.first().evaluate((row) => row.getBoundingClientRect().top)
  const bar = page.getByRole('group', { name: 'Selected errors' })
  await page.getByRole('checkbox', { name: /Alpha/ }).check()
  await page.getByRole('link', { name: 'Beta' }).focus()
  await page.keyboard.press('x')
  await expect(bar.getByText('2 selected')).toBeVisible()
  expect(await rows.first().evaluate((row) => row.getBoundingClientRect().top)).toBe(headTop)

  await bar.getByRole('button', { name: 'Resolve' }).click()
  await expect(rows).toHaveCount(2)
  await expect(bar).toHaveCount(0)
  await expect(page.getByLabel('Filter errors')).toBeVisible()
  await expect(page.getByText('Resolved: 2 errors')).toBeVisible()
  expect((await client.call('errors.list', { query: { status: 'resolved' } })).total).toBe(2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows).toHaveCount(4)
  expect((await client.call('errors.list', { query: { status: 'open' } })).total).toBe(3)

  const [alpha] = errorIds
  await page.route(`**/api/v1/errors/${alpha}`, (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('checkbox', { name: 'Select all rows' }).check()
  await bar.getByRole('button', { name: 'Ignore' }).click()
  await expect(page.getByText('Failed to ignore 1 of 3 errors')).toBeVisible()
  await expect(rows).toHaveCount(2)
  await expect(page.getByRole('checkbox', { name: /Alpha/ })).toBeChecked()
  await expect(bar.getByText('1 selected')).toBeVisible()
})

test('ten errors are sent at once and together', async ({ page, bey }) => {
  await signedIn(page, bey.url)
  await page.goto('/errors')
  await standing(page)
  const sent = page.waitForRequest(logPath, { timeout: 3_000 })
  await page.evaluate(() => {
    for (const letter of 'abcdefghij') console.error(`Batch ${letter}`)
  })
  expect(entriesOf(await sent)).toHaveLength(10)
})

test('while the server does not take it, the error page does not claim that anybody was notified', async ({
  page,
  bey,
}) => {
  await signedIn(page, bey.url)
  await page.route(logPath, (route) => route.abort())
  await breakClusters(page)
  await page.goto('/kubernetes/clusters')
  await expect(page.getByText('Our team will be notified once the server answers.')).toBeVisible()
  await expect(page.getByText('Our team has been notified.')).toHaveCount(0)
  await page.unroute(logPath)
  await expect(page.getByText('Our team has been notified.')).toBeVisible()
})

test('without a token nothing is sent', async ({ page, bey }) => {
  const calls: string[] = []
  page.on('request', (request) => calls.push(request.url()))
  await page.goto(`${bey.url}/login`)
  await expect(page.getByRole('heading', { name: 'Login to your account' })).toBeVisible()
  await page.evaluate(() => console.error('Before login'))
  await expect.poll(() => calls.some((url) => /\/idle-/.test(url))).toBe(true)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => {
    for (let count = 0; count < 12; count += 1) console.error(`Error ${'abcdefghijkl'.charAt(count)}`)
  })
  expect(calls.filter((url) => url.includes('/errors/log'))).toEqual([])
})

test('source maps are not served', async ({ page, bey }) => {
  await page.goto(`${bey.url}/login`)
  const script = await page.locator('script[type=module]').getAttribute('src')
  const reply = await page.request.get(`${bey.url}${script}.map`)
  expect(reply.status()).toBe(404)
  expect(await (await page.request.get(`${bey.url}${script}`)).text()).not.toContain('sourceMappingURL')
})
