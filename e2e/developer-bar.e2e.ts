import type { Page } from '@playwright/test'
import type { BeySession } from '../tools/api-session.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'
import { runFirstWorkflow } from './first-workflow.ts'

const email = 'developer@bey.local'
test.use({ beyEnv: { BEY_DEVELOPER_EMAIL: email } })

let developer: BeySession
let clusterId = 0

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ bey }) => {
  developer = await signUpByApi(bey.url, { ...newcomer(), email })
  const body = { title: 'alpha', provider: 'sandbox' as const }
  clusterId = (await developer.client.call('clusters.create', { body })).id
})

test.beforeEach(async ({ page }) => {
  await page.addInitScript((value) => {
    if (!localStorage.getItem('bey-token')) localStorage.setItem('bey-token', value)
  }, developer.token)
})

const bar = (page: Page) => page.getByRole('region', { name: 'Developer status bar' })
const settings = (page: Page) => page.getByRole('dialog', { name: 'Developer Settings' })
const debug = (page: Page) => page.getByRole('dialog', { name: 'Workflow Engine Debugger' })

async function openSettings(page: Page): Promise<void> {
  await bar(page).getByRole('button', { name: 'Settings' }).click()
  await expect(settings(page)).toBeVisible()
}

/** The page with the workflow debugger switched on from the start. */
async function openDebugger(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('bey-workflow-debugger', 'true'))
  await page.goto('/workflows')
  await bar(page)
    .getByRole('button', { name: /^WF Engine/ })
    .click()
  await expect(debug(page)).toBeVisible()
}

test('the developer alone sees the bar: 24 px at the bottom, in room of its own', async ({
  page,
  browser,
  bey,
}) => {
  let release = () => {}
  const waiting = new Promise<void>((done) => (release = done))
  await page.route('**/developer-tools-*.js', async (route) => {
    await waiting
    return route.continue()
  })
  await page.goto('/workflows')
  await expect(bar(page)).toHaveText('Loading...')
  release()
  await expect(bar(page)).toContainText('Analytical Engines / Ada Lovelace')
  await expect(bar(page)).toContainText('live')
  const box = await bar(page).boundingBox()
  expect(box).toEqual({ x: 0, y: 876, width: 1440, height: 24 })
  const above = await page.getByRole('contentinfo').boundingBox()
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBe(876)
  const foot = await page.getByRole('complementary').first().boundingBox()
  expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBe(876)

  // With everything in the browser's cache the bar is there before the theme is.
  await page.reload()
  await expect(bar(page)).toContainText('live')
  const warm = await page.getByRole('contentinfo').boundingBox()
  expect((warm?.y ?? 0) + (warm?.height ?? 0)).toBe(876)

  const { token } = await signUpByApi(bey.url, newcomer())
  const stranger = await browser.newPage({ baseURL: bey.url })
  await stranger.addInitScript((value) => localStorage.setItem('bey-token', value), token)
  await stranger.goto('/workflows')
  await expect(stranger.getByRole('banner').getByText('live')).toBeVisible()
  await expect(bar(stranger)).toHaveCount(0)
  await stranger.close()
})

const annotationBanner = 'Left-click to select • Right-click for component tree • Drag to select area'

test('its toggles say On or Off, and what a production build lacks says so', async ({ page }) => {
  await page.goto('/workflows')
  await bar(page).getByRole('button', { name: 'Annotation: Off' }).click()
  await expect(page.getByText(annotationBanner)).toBeVisible()
  await bar(page).getByRole('button', { name: 'Annotation: On' }).click()
  await expect(page.getByText(annotationBanner)).toHaveCount(0)
  await openSettings(page)
  await settings(page).getByRole('switch', { name: 'Annotation Mode' }).click()
  await expect(settings(page)).toHaveCount(0)
  await bar(page).getByRole('button', { name: 'Annotation: On' }).click()
  await openSettings(page)
  await expect(settings(page).getByRole('switch', { name: 'Annotation Mode' })).not.toBeChecked()
  for (const aid of ['React Scan', 'Click to Component']) {
    const toggle = bar(page).getByRole('button', { name: `${aid}: Off` })
    await expect(toggle).toHaveAttribute('aria-disabled', 'true')
    await expect(toggle).toHaveAttribute('data-tooltip', /development builds only/)
    await expect(settings(page).getByRole('switch', { name: aid })).toBeDisabled()
  }
  await page.keyboard.press('Escape')
  await expect(bar(page).getByRole('button', { name: 'Annotation: Off' })).toBeVisible()
})

test('a MEMBER annotates nothing: no toggle, and a switch that says why', async ({ page }) => {
  await page.route('**/api/auth/me', async (route) => {
    const reply = await route.fetch()
    const user: { organizations: { role: string }[] } = await reply.json()
    for (const organization of user.organizations) organization.role = 'MEMBER'
    await route.fulfill({ response: reply, json: user })
  })
  await page.goto('/workflows')
  await openSettings(page)
  await expect(bar(page).getByRole('button', { name: /^Annotation/ })).toHaveCount(0)
  const annotation = settings(page).getByRole('switch', { name: /^Annotation Mode/ })
  await expect(annotation).toBeDisabled()
  await expect(settings(page)).toContainText('Needs the role ADMIN or higher; yours is MEMBER.')
})

test('the connection indicator reconnects', async ({ page }) => {
  await page.goto('/workflows')
  await openSettings(page)
  await settings(page).getByRole('button', { name: 'Disconnect' }).click()
  await expect(bar(page).getByText('disconnected')).toHaveClass(/text-danger/)
  await expect(page.getByRole('banner').getByText('disconnected')).toBeVisible()
  await bar(page).getByRole('button', { name: 'Reconnect' }).click()
  await expect(bar(page).getByText('live', { exact: true })).toBeVisible()
})

test('auto-hide shows the bar within 100 px of the bottom, and Dev Panel brings it back', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 420 })
  await page.goto('/kubernetes/clusters/create')
  await openSettings(page)
  await settings(page).getByRole('switch', { name: 'Auto-hide Panel' }).check()
  await page.keyboard.press('Escape')
  const tab = page.getByRole('button', { name: 'Dev Panel' })
  await expect(tab).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
  const scrollTo = (fromBottom: number) =>
    page.getByRole('main').evaluate((main, distance) => {
      main.scrollTop = main.scrollHeight - main.clientHeight - distance
    }, fromBottom)
  await scrollTo(101)
  await expect(tab).toBeVisible()
  await scrollTo(99)
  await expect(bar(page)).toBeVisible()
  await expect(tab).toHaveCount(0)
  await scrollTo(300)
  await expect(bar(page)).toHaveCount(0)
  await tab.click()
  await expect(bar(page)).toBeVisible()
  await scrollTo(250)
  await expect(bar(page)).toHaveCount(0)
  await page.evaluate(() => localStorage.removeItem('bey-auto-hide'))
})

test('the settings show log level, organization and the raw answer of getCurrentUser()', async ({ page }) => {
  await page.goto('/workflows')
  await openSettings(page)
  const level = settings(page).getByLabel('Console log level')
  await expect(level.getByRole('option')).toHaveText([
    'Trace (most verbose)',
    'Debug',
    'Info (default)',
    'Warning',
    'Error',
    'Fatal (least verbose)',
  ])
  await expect(level).toHaveValue('info')
  await level.selectOption('error')
  await page.reload()
  await openSettings(page)
  await expect(level).toHaveValue('error')
  await level.selectOption('info')
  const fact = (label: string) =>
    settings(page)
      .locator('dl > div', { has: page.getByText(label, { exact: true }) })
      .locator('dd')
  await expect(fact('Selected organization')).toHaveText('Analytical Engines')
  await expect(fact('Active organization id')).toHaveText(String(developer.organizationId))
  await expect(fact('Stored organization id')).toHaveText(String(developer.organizationId))
  await expect(fact('Available organizations')).toHaveText('1')
  await settings(page).getByRole('button', { name: 'Test getCurrentUser()' }).click()
  await expect(settings(page).getByRole('region', { name: 'Raw response' })).toContainText(
    `"email": "${email}"`,
  )
  await page.route('**/api/auth/me', (route) => route.fulfill({ status: 503, body: 'Down' }))
  await settings(page).getByRole('button', { name: 'Test getCurrentUser()' }).click()
  await expect(settings(page).getByRole('region', { name: 'Raw response' })).toHaveText(
    'Failed to get user: 503 Service Unavailable',
  )
})

test('cluster actions ask for an id and answer in alerts', async ({ page }) => {
  const said: string[] = []
  let answer = ''
  let isSure = true
  page.on('dialog', (dialog) => {
    if (dialog.type() !== 'prompt') said.push(`${dialog.type()}: ${dialog.message()}`)
    if (dialog.type() === 'confirm' && !isSure) void dialog.dismiss()
    else void dialog.accept(dialog.type() === 'prompt' ? answer : undefined)
  })
  await page.goto('/workflows')
  await openSettings(page)
  const press = (name: string) => settings(page).getByRole('button', { name, exact: true }).click()
  for (const nothing of ['', 'alpha', '0']) {
    answer = nothing
    for (const name of ['Provision', 'Delete', 'Check Status']) await press(name)
  }
  expect(said).toEqual([])

  answer = String(clusterId)
  await press('Check Status')
  await expect.poll(() => said.pop()).toContain(`"clusterId": ${clusterId}`)
  answer = '4711'
  await press('Check Status')
  await expect.poll(() => said.pop()).toMatch(/^alert: Status fetch failed: \S/)
  await press('Provision')
  await expect.poll(() => said.pop()).toMatch(/^alert: Provision failed: \S/)
  isSure = false
  await press('Delete')
  expect(said).toEqual(['confirm: Start deletion workflow?'])
  isSure = true
  await press('Delete')
  await expect.poll(() => said.at(-1)).toMatch(/^alert: Deletion failed: \S/)

  await page.route(/\/(provision|delete)$/, (route) => route.fulfill({ status: 202, json: {} }))
  said.length = 0
  await press('Provision')
  await expect.poll(() => said.pop()).toBe('alert: Provisioning started')
  await press('Delete')
  await expect.poll(() => said.pop()).toBe('alert: Deletion started')

  await page.evaluate(() => localStorage.removeItem('bey-token'))
  said.length = 0
  await press('Connect WS')
  expect(said).toEqual(['alert: Missing token or organization. Please authenticate first.'])
})

test('with the workflow debugger on the bar counts, and the settings list the last 10 messages', async ({
  page,
}) => {
  await page.goto('/workflows')
  await expect(bar(page)).not.toContainText('WF Engine')
  await openSettings(page)
  await settings(page).getByRole('switch', { name: 'Workflow Debugger' }).check()
  const line = bar(page).getByRole('button', { name: /^WF Engine/ })
  await expect(line).toHaveText(/^WF Engine: running \| Active: \d+ \| Subs: 2 \| Msgs: \d+$/)
  const { id } = await developer.client.call('clusters.create', {
    body: { title: 'beta', provider: 'sandbox' },
  })
  await expect(line).toHaveText(/Msgs: (1[1-9]|[2-5]\d)$/, { timeout: 30_000 })
  const messages = settings(page).getByRole('list', { name: 'Workflow messages' }).getByRole('listitem')
  await expect(messages).toHaveCount(10)
  await expect(settings(page).getByText('Global')).toHaveCount(2)
  await expect(settings(page).getByText(/^running · \d+ of \d+ active$/)).toBeVisible()
  await line.click()
  const all = debug(page).getByRole('list', { name: 'Workflow messages' }).getByRole('listitem')
  await expect.poll(() => all.count()).toBeGreaterThan(10)
  // The run may still have something to say until its cluster runs.
  const statusOf = async () => (await developer.client.call('clusters.get', { params: { id } })).status
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('RUNNING')
  await expect(page.getByText(/^WF Engine: .* Active: 0/)).toBeVisible({ timeout: 30_000 })
  await expect(async () => {
    await debug(page).getByRole('button', { name: 'Clear Messages', disabled: false }).click({ timeout: 500 })
    await expect(debug(page)).toContainText(
      'No workflow messages received yet. Execute a workflow to see real-time updates.',
      { timeout: 500 },
    )
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(line).toHaveText(/Msgs: 0$/)
})

test('the debugger shows connection, engine, statistics, executors, and runs of a workflow', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname + new URL(request.url()).search))
  await runFirstWorkflow(developer)
  await openDebugger(page)
  const dialog = debug(page)
  for (const title of [
    'Connection Status',
    'Engine Status',
    'Workflow Statistics',
    'Currently Running Workflows',
    'WebSocket Subscriptions',
    'Recent Workflow Messages',
    'Registered Step Executors',
    'Workflows',
  ]) {
    await expect(dialog.getByRole('heading', { name: title, exact: true })).toBeVisible()
  }
  const fact = (label: string) =>
    dialog
      .locator('dl > div', { has: page.getByText(label, { exact: true }) })
      .first()
      .locator('dd')
  await expect(fact('Token')).toHaveText('present')
  await expect(fact('Organization id')).toHaveText(String(developer.organizationId))
  await expect(fact('WebSocket')).toHaveText('live')
  await expect(fact('Subscriptions')).toHaveText('2')
  await expect(fact('Authorization header')).toHaveText('sent')
  await expect(fact('x-organization-id header')).toHaveText('sent')
  await expect(fact('Backend')).toHaveText('connected')
  await expect(fact('Status').getByText('running')).toHaveClass('text-ok')
  await expect(fact('Active workflows')).toHaveText(/^\d+ of \d+$/)
  await expect(fact('Total workflows')).toHaveText(/^\d+$/)
  await expect(dialog.getByRole('list', { name: 'Runs by status' })).toHaveText(
    /(completed|failed|running)\d/,
  )
  await expect(dialog.getByText('cluster.provision')).toBeVisible()
  await expect(dialog.getByText('Executor type: dbos')).toBeVisible()
  await dialog.getByRole('button', { name: /A first one/ }).click()
  const runs = dialog.getByRole('list', { name: 'Runs of A first one' })
  await expect(runs.getByRole('listitem').first()).toContainText(/completed|failed|running/)
  expect(
    asked.filter((path) => /^\/api\/v1\/workflows(\/[0-9a-f-]+\/runs)?\?limit=10$/.test(path)),
  ).toHaveLength(2)
  await runs.getByRole('link', { name: 'Open run' }).first().click()
  await expect(page).toHaveURL(/\/workflows\/[0-9a-f-]+\/runs\//)
})

test('the engine is asked once in 30 s, unless one presses Refresh', async ({ page }) => {
  let asked = 0
  await page.clock.install()
  await page.route('**/api/workflows/debug/engine-status', (route) => {
    asked += 1
    return route.continue()
  })
  await openDebugger(page)
  await expect(debug(page).getByText('running').first()).toBeVisible()
  const atFirst = asked
  await page.keyboard.press('Escape')
  await expect(bar(page).getByRole('button', { name: /^WF Engine/ })).toBeFocused()
  await page.clock.fastForward(20_000)
  await bar(page)
    .getByRole('button', { name: /^WF Engine/ })
    .click()
  await expect(debug(page).getByText('running').first()).toBeVisible()
  expect(asked).toBe(atFirst)
  const refreshed = page.waitForResponse('**/api/workflows/debug/engine-status')
  await debug(page).getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => asked).toBe(atFirst + 1)
  // The 30 s begin with the answer.
  await (await refreshed).finished()
  await page.keyboard.press('Escape')
  await page.clock.fastForward(31_000)
  await bar(page)
    .getByRole('button', { name: /^WF Engine/ })
    .click()
  await expect.poll(() => asked).toBeGreaterThan(atFirst + 1)
})

test('an engine that cannot be asked is explained, with hints', async ({ page }) => {
  let reply: 'wait' | 'down' | 'broken' | 'expired' = 'wait'
  let release = () => {}
  const waiting = new Promise<void>((done) => (release = done))
  await page.route('**/api/workflows/debug/engine-status', async (route) => {
    if (reply === 'wait') await waiting
    if (reply === 'broken') return route.fulfill({ status: 502, contentType: 'text/plain', body: 'Bad hop' })
    if (reply === 'expired') return route.fulfill({ status: 401, json: {} })
    return route.abort()
  })
  await openDebugger(page)
  await expect(debug(page)).toContainText('Loading engine status...')
  reply = 'down'
  release()
  await expect(debug(page)).toContainText('Cannot Load Engine Status')
  const port = new URL(page.url()).port
  await expect(debug(page)).toContainText(
    `Backend server not available - check that the server is running on port ${port}`,
  )
  for (const hint of ['logged in', 'backend server is running', 'browser console', 'token is still valid']) {
    await expect(debug(page).getByRole('listitem').filter({ hasText: hint })).toBeVisible()
  }
  reply = 'broken'
  await debug(page).getByRole('button', { name: 'Refresh' }).click()
  await expect(debug(page)).toContainText('API Error: HTTP 502: Bad hop')
  await expect(page.getByText('unavailable', { exact: true })).toHaveClass('text-danger')
  await page.keyboard.press('Escape')
  await openSettings(page)
  await expect(settings(page).getByText('Failed to fetch workflow engine status')).toBeVisible()
  await expect(settings(page).getByText('API Error: HTTP 502: Bad hop')).toBeVisible()
  await page.keyboard.press('Escape')
  await bar(page)
    .getByRole('button', { name: /^WF Engine/ })
    .click()
  reply = 'expired'
  await debug(page).getByRole('button', { name: 'Refresh' }).click()
  // Asked again once one has logged in: what the session's own dialog asks for, over this one.
  await expect(page.getByRole('dialog', { name: 'Unauthorized: Please log in again.' })).toBeVisible()
})
