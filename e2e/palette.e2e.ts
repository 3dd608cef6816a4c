import { axeFindings } from './axe.ts'
import { expect, test } from './bey.ts'
import { cluster, enter, names, open, option, palette, preview, search } from './palette-page.ts'

test('Ctrl+K opens and closes the palette, in the specified sizes and with its hints', async ({
  page,
  baseURL,
}) => {
  await enter(page, baseURL)
  await open(page)
  expect((await palette(page).boundingBox())?.height).toBe(600)
  const list = await palette(page).getByRole('listbox').locator('..').boundingBox()
  expect(list?.height).toBe(300)
  for (const hint of ['navigate', 'select', 'close', 'quick select']) {
    await expect(palette(page).getByText(hint, { exact: true })).toBeVisible()
  }
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toHaveCount(0)
})

test('inside the sidebar Ctrl+K focuses its search instead', async ({ page, baseURL }) => {
  await enter(page, baseURL)
  await open(page)
  await page.keyboard.press('Escape')
  await page.getByRole('navigation', { name: 'Services' }).getByRole('link').first().focus()
  await page.keyboard.press('Control+k')
  await expect(page.getByPlaceholder('Search...', { exact: true })).toBeFocused()
  await expect(palette(page)).toHaveCount(0)
})

test('arrows and Enter choose, what was chosen is recent, and digits choose while nothing is typed', async ({
  page,
  baseURL,
}) => {
  await enter(page, baseURL)
  await open(page)
  await search(page).fill('secrets')
  await expect(palette(page).getByText('quick select')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/secrets$/)
  await expect(palette(page)).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('bey-recent-palette-items'))).toContain('/secrets')

  await open(page)
  await expect(palette(page).getByText('Recent', { exact: true })).toBeVisible()
  const listed = await names(page)
  await page.keyboard.press('ArrowDown')
  await expect(palette(page).getByRole('option', { selected: true })).toHaveAttribute('aria-posinset', '2')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  const last = palette(page).getByRole('option', { selected: true })
  expect(await last.getAttribute('aria-posinset')).toBe(await last.getAttribute('aria-setsize'))
  await page.keyboard.press('Escape')

  // What one begins with is suggested once it is known that there is nothing yet.
  const isKnown = () =>
    expect(
      palette(page)
        .getByRole('option', { name: /^Create cluster/ })
        .first(),
    ).toBeVisible()
  await page.goto('/databases')
  await open(page)
  await isKnown()
  const place = (await names(page)).indexOf('Secrets') + 1
  expect(listed).toContain('Secrets')
  await page.keyboard.press(`Alt+${place}`)
  await expect(page).toHaveURL(/\/secrets$/)
  await page.goto('/databases')
  await open(page)
  await isKnown()
  await page.keyboard.press(`Control+${(await names(page)).indexOf('Secrets') + 1}`)
  await expect(page).toHaveURL(/\/secrets$/)
})

test('an empty result says so, and a misspelt word is found all the same', async ({ page, baseURL }) => {
  await enter(page, baseURL)
  await open(page)
  await search(page).fill('zzqqxx')
  await expect(palette(page).getByText('No results found for "zzqqxx"')).toBeVisible()
  await expect(palette(page).getByText('Try searching for something else')).toBeVisible()
  await search(page).fill('apearance')
  await expect(option(page, /^Appearance/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/workspaces\/settings\/appearance$/)
})

test('while the search for misspelt words cannot be loaded, an empty result says so all the same', async ({
  page,
  baseURL,
}) => {
  await page.route('**/fuzzy-worker*', (route) => route.abort())
  await enter(page, baseURL)
  await open(page)
  await search(page).fill('apearance')
  await expect(palette(page).getByText('No results found for "apearance"')).toBeVisible()
  await page.unroute('**/fuzzy-worker*')
  await search(page).fill('apearanc')
  await expect(option(page, /^Appearance/)).toBeVisible()
})

test('suggestions follow the page and the time of day', async ({ page, baseURL }) => {
  await page.clock.setFixedTime(new Date(2026, 10, 21, 21, 0))
  await enter(page, baseURL, { path: '/kubernetes/clusters', theme: 'light', isNew: true })
  await open(page)
  await expect(palette(page).getByText('Suggested for you')).toBeVisible()
  // What one begins with, in an organization without clusters.
  const begin = ['Create cluster', 'Import clusters', 'Team members']
  await expect.poll(async () => (await names(page)).slice(0, 4)).toEqual([...begin, 'Dark theme'])
  await page.keyboard.press('Escape')
  await page.clock.setFixedTime(new Date(2026, 10, 21, 12, 0))
  await page.goto('/workflows')
  await open(page)
  // It is light already.
  expect((await names(page))[0]).toBe('Create workflow')
  expect((await names(page)).slice(0, 5)).not.toContain('Light theme')
})

test('a theme and the chords beside their twins act', async ({ page, baseURL }) => {
  await enter(page, baseURL, { path: '/secrets' })
  await open(page)
  await search(page).fill('light theme')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('theme-mode'))).toBe('light')
  await expect(palette(page)).toHaveCount(0)
  await page.locator('main').focus()
  await page.keyboard.press('t')
  await page.keyboard.press('d')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('theme-mode'))).toBe('dark')
  await page.keyboard.press('Control+t')
  await page.keyboard.press('l')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('theme-mode'))).toBe('light')
  await page.keyboard.press('n')
  await page.keyboard.press('w')
  await expect(page).toHaveURL(/\/workflows\/create$/)
  await page.keyboard.press('Control+h')
  await expect(page).toHaveURL(/\/$/)
})

test('a cluster’s preview shows real data, downloads its kubeconfig and deletes it after the confirmation', async ({
  page,
  baseURL,
}) => {
  const session = await enter(page, baseURL, { isNew: true })
  const id = await cluster(session, 'prod-eu-1')
  await open(page)
  await search(page).fill('prod')
  await option(page, /^prod-eu-1(?!-)/).hover()
  const panel = preview(page, 'prod-eu-1')
  await expect(panel).toBeVisible()
  expect((await panel.locator('..').boundingBox())?.width).toBe(400)
  const { version } = await session.client.call('clusters.get', { params: { id } })
  await expect(panel.getByText(version, { exact: true })).toBeVisible()
  await expect(panel.getByText('running')).toBeVisible()
  await expect(panel.getByText('Workloads')).toBeVisible()
  await expect(panel.getByText(/requested/).first()).toBeVisible()

  const download = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Download Kubeconfig' }).click()
  await expect(page.getByText('Downloading kubeconfig...')).toBeVisible()
  expect((await download).suggestedFilename()).toBe('prod-eu-1.kubeconfig')

  await search(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect(panel.getByRole('button', { name: 'View Cluster Details' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(search(page)).toBeFocused()
  await panel.getByRole('button', { name: 'Delete Cluster' }).click()
  const question = page.getByRole('dialog', { name: 'Are you sure you want to delete this cluster?' })
  await question.getByRole('textbox').fill('prod-eu-1')
  await question.getByRole('button', { name: 'Delete cluster' }).click()
  await expect(question).toHaveCount(0)
  await expect
    .poll(async () => (await session.client.call('clusters.get', { params: { id } })).status, {
      timeout: 30_000,
    })
    .toMatch(/UPDATING|DELETED/)
})

test('a workflow’s preview shows type, steps and last run; a built-in one refuses with the reason', async ({
  page,
  baseURL,
}) => {
  await enter(page, baseURL, { isNew: true })
  await open(page)
  await search(page).fill('provision cluster')
  await expect(option(page, /^Provision cluster/)).toBeVisible()
  await page.keyboard.press('ArrowRight')
  const panel = preview(page, 'Provision cluster')
  await expect(panel.getByText('provisioning, built in')).toBeVisible()
  await expect(panel.getByText('never')).toBeVisible()
  await expect(panel.locator('dl > div', { hasText: 'Steps' }).locator('dd')).toHaveText('5')
  for (const name of ['Execute Workflow', 'Edit Workflow']) {
    const button = panel.getByRole('button', { name })
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(button).toHaveAccessibleDescription(/read-only/)
  }
  await panel.getByRole('button', { name: 'View Details' }).click()
  await expect(page).toHaveURL(/\/workflows\/[0-9a-f-]{36}$/)
})

test('a page’s preview shows path and keys, and goes there', async ({ page, baseURL }) => {
  await enter(page, baseURL)
  await open(page)
  await search(page).fill('databases')
  await option(page, /^Databases/)
    .first()
    .hover()
  const panel = preview(page, 'Databases')
  await expect(panel.getByText('/databases', { exact: true })).toBeVisible()
  await expect(panel.locator('dl > div', { hasText: 'Shortcut' }).locator('dd')).toHaveText(/g.*d/i)
  await panel.getByRole('button', { name: 'Navigate' }).click()
  await expect(page).toHaveURL(/\/databases$/)

  await open(page)
  await search(page).fill('create cluster')
  await option(page, /^Create cluster/).hover()
  const action = preview(page, 'Create cluster')
  await expect(action.getByText('/kubernetes/clusters/create')).toBeVisible()
  await action.getByRole('button', { name: 'Run Action' }).click()
  await expect(page).toHaveURL(/\/kubernetes\/clusters\/create$/)
})

test('data that arrives late moves nothing once one has pointed, and is there with the next key', async ({
  page,
  baseURL,
}) => {
  const session = await enter(page, baseURL)
  await cluster(session, 'late-cluster')
  const gate = Promise.withResolvers<void>()
  await page.route('**/api/palette*', async (route) => {
    await gate.promise
    await route.continue()
  })
  await open(page)
  await page.keyboard.press('ArrowDown')
  const before = await names(page)
  const answer = page.waitForResponse('**/api/palette*')
  gate.resolve()
  await answer
  await page.waitForFunction(() => document.querySelector('[role=option][aria-selected=true]'))
  expect(await names(page)).toEqual(before)
  await search(page).fill('late')
  await expect(option(page, /^late-cluster/)).toBeVisible()
})

test('a list that cannot be read is said in a toast, and pages and commands still work', async ({
  page,
  baseURL,
}) => {
  await enter(page, baseURL)
  await page.route('**/api/palette*', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: '{"status":403,"code":"forbidden"}',
    }),
  )
  await open(page)
  await expect(page.getByText('Failed to load data')).toBeVisible()
  await search(page).fill('secrets')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/secrets$/)
})

test('of 10,000 things 2,000 are held, the server finds the others, and only those in sight are drawn', async ({
  page,
  baseURL,
}) => {
  await enter(page, baseURL)
  const payments = (number: number) => ({
    id: String(number + 1),
    type: 'cluster',
    title: `payments-${number}`,
    subtitle: 'v1.33.0 · 3 nodes · eu-1',
    status: 'RUNNING',
    health: null,
    createdAt: '2026-11-01T00:00:00.000Z',
    isReadOnly: false,
    lastUsedAt: null,
  })
  let lastPage = 0
  await page.route('**/api/palette*', (route) => {
    const asked = new URL(route.request().url()).searchParams
    if (asked.has('search')) {
      const items = asked.get('search') === 'payments-9' ? [payments(9_999), payments(9_998)] : []
      return route.fulfill({ json: { items, nextCursor: null } })
    }
    const index = Number(asked.get('cursor') ?? 0)
    lastPage = Math.max(lastPage, index)
    const items = Array.from({ length: 200 }, (_, at) => payments(index * 200 + at))
    return route.fulfill({ json: { items, nextCursor: index < 49 ? String(index + 1) : null } })
  })
  // What is read before the first connection is read again after it: these replies say no position.
  await expect(page.getByRole('banner').getByText('live')).toBeVisible()
  await open(page)
  await search(page).fill('payments')
  await expect(palette(page).getByText('2,000 results')).toBeVisible({ timeout: 20_000 })
  // Ten pages of 200, however often an event has them read again.
  expect(lastPage).toBe(9)
  expect(await palette(page).getByRole('option').count()).toBeLessThan(40)
  await search(page).fill('payments-9')
  // Held are 9, 90 to 99 and 900 to 999; the two others the server alone knows.
  await expect(palette(page).getByText('113 results')).toBeVisible({ timeout: 20_000 })
  await search(page).fill('paymnt')
  await expect(option(page, /^payments-/).first()).toBeVisible()
})

test('the palette is no part of what the first page needs', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Login to your account' })).toBeVisible()
  expect(scripts.filter((path) => /palette|fuzzy|switcher/.test(path))).toEqual([])
})

test('on a telephone palette and switcher work by touch', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await enter(page, baseURL)
  await page.getByRole('button', { name: 'Command palette' }).tap()
  await search(page).fill('secrets')
  await option(page, /^Secrets/)
    .first()
    .locator('[data-preview-key]')
    .tap()
  await preview(page, 'Secrets').getByRole('button', { name: 'Back to the results' }).tap()
  await option(page, /^Secrets/)
    .first()
    .tap()
  await expect(page).toHaveURL(/\/secrets$/)
  await page.getByRole('button', { name: 'Open navigation' }).tap()
  await page.getByRole('button', { name: 'Switch service' }).tap()
  await page.getByRole('option', { name: /^Workflows/ }).tap()
  await expect(page).toHaveURL(/\/workflows$/)
  await context.close()
})

for (const theme of ['light', 'dark']) {
  test(`palette, preview and switcher have no axe violation in ${theme}`, async ({ page, baseURL }) => {
    // Somebody new: no theme that was chosen before comes from the server meanwhile.
    await enter(page, baseURL, { theme, isNew: true })
    const check = async (what: string) => {
      expect(await axeFindings(page), what).toEqual([])
    }
    await open(page)
    await check('at rest')
    await search(page).fill('provision')
    await expect(option(page, /^Provision cluster/)).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(preview(page, 'Provision cluster').getByText('built in')).toBeVisible()
    await check('preview')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(palette(page)).toHaveCount(0)
    await page.getByRole('button', { name: 'Switch service' }).click()
    await expect(page.getByPlaceholder('Search services...')).toBeFocused()
    await check('switcher')
  })
}
