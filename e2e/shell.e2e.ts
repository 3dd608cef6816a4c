import { expect, newcomer, signUp, test } from './bey.ts'

test('the sidebar shows launched services in groups, expands them and finds them', async ({ page }) => {
  await signUp(page, newcomer())
  const sidebar = page.getByRole('navigation', { name: 'Services' })
  for (const group of ['Compute', 'Data & Analytics', 'Infrastructure', 'Databases']) {
    await expect(sidebar.getByText(group, { exact: true }).first()).toBeVisible()
  }
  await expect(sidebar.getByText('Serverless')).toHaveCount(0)
  const workflows = sidebar.getByRole('button', { name: 'Workflows' })
  await workflows.click()
  await expect(sidebar.getByRole('link', { name: 'Runs' })).toBeVisible()
  await workflows.click()
  await expect(sidebar.getByRole('link', { name: 'Runs' })).toHaveCount(0)
  await sidebar.getByRole('link', { name: 'Database Metrics' }).click()
  await expect(page).toHaveURL(/\/databases\/metrics$/)
  const search = page.getByPlaceholder('Search...')
  await search.fill('SECR')
  await expect(sidebar.getByRole('link', { name: 'Create secret' })).toBeVisible()
  await expect(sidebar.getByText('Workflows')).toHaveCount(0)
  await search.fill('nothing like it')
  await expect(page.getByText('No results found')).toBeVisible()
})

test('the sidebar names the organization at the top and marks settings, profile and errors', async ({
  page,
}) => {
  await signUp(page, newcomer('Analytical Engines'))
  const home = page.getByRole('link', { name: /^Bey, / })
  await expect(home).toHaveText('Dashboard Analytical Engines')
  await expect(home).toHaveAttribute('href', '/')
  const settings = page.getByRole('navigation', { name: 'Settings' })
  for (const [path, name] of [
    ['/profile', 'Profile'],
    ['/errors', 'Errors'],
    ['/workspaces/settings/appearance', 'Appearance'],
    ['/workspaces/members', 'Team members'],
  ] as const) {
    // oxlint-disable no-await-in-loop -- one page after the other
    await page.goto(path)
    await expect(settings.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('complementary').locator('[aria-current="page"]')).toHaveCount(1)
    // oxlint-enable no-await-in-loop
  }
})

test('Ctrl+B toggles the sidebar, and the cookie remembers it for 7 days', async ({ page, context }) => {
  await signUp(page, newcomer())
  const sidebar = page.getByRole('complementary').first()
  const wide = (await sidebar.boundingBox())?.width
  expect(wide).toBe(256)
  await page.keyboard.press('Control+b')
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(48)
  const cookie = (await context.cookies()).find((each) => each.name === 'sidebar_state')
  expect(cookie?.value).toBe('false')
  const daysLeft = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
  expect(daysLeft).toBeGreaterThan(6.99)
  expect(daysLeft).toBeLessThan(7.01)
  await page.reload()
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(48)
})

test('what is pressed before the shortcuts have come is done once they have', async ({ page }) => {
  await signUp(page, newcomer())
  const arrived = Promise.withResolvers<void>()
  await page.route('**/assets/idle-*.js', async (route) => {
    await arrived.promise
    await route.continue()
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('Control+b')
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Control+k')
  // By its tag: behind the palette it has no role.
  const sidebar = page.locator('aside').first()
  expect((await sidebar.boundingBox())?.width).toBe(256)
  arrived.resolve()
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
  await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(48)

  const again = Promise.withResolvers<void>()
  await page.unrouteAll({ behavior: 'wait' })
  await page.route('**/assets/idle-*.js', async (route) => {
    await again.promise
    await route.continue()
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.press('c')
  again.resolve()
  await expect(page.getByRole('heading', { name: 'Create cluster' })).toBeVisible()
})

test('Ctrl+K inside the sidebar focuses its search', async ({ page }) => {
  await signUp(page, newcomer())
  const link = page.getByRole('navigation', { name: 'Services' }).getByRole('link').first()
  // Shortcuts are loaded once the first page stands.
  await expect(async () => {
    await link.focus()
    await page.keyboard.press('Control+k')
    await expect(page.getByPlaceholder('Search...')).toBeFocused({ timeout: 300 })
  }).toPass()
})

test('below 768 px the sidebar is a sheet of 18rem', async ({ page }) => {
  await signUp(page, newcomer())
  await page.setViewportSize({ width: 768, height: 844 })
  await expect(page.getByPlaceholder('Search...')).toBeVisible()
  await page.setViewportSize({ width: 767, height: 844 })
  await expect(page.getByPlaceholder('Search...')).toBeHidden()
  await page.getByRole('button', { name: 'Open navigation' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByPlaceholder('Search...')).toBeVisible()
  await expect.poll(async () => (await sheet.boundingBox())?.width).toBe(288)
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
})

test('while a page is on its way its place shows Loading...', async ({ page }) => {
  await signUp(page, newcomer())
  const arrived = Promise.withResolvers<void>()
  await page.route('**/assets/changelog-page-*.js', async (route) => {
    await arrived.promise
    await route.continue()
  })
  await page.goto('/changelog')
  await expect(page.getByRole('main').getByText('Loading...')).toBeVisible()
  arrived.resolve()
  await expect(page.getByRole('heading', { name: 'Changelog', level: 1 })).toBeVisible()
})

test('the refresh-page button reloads the page', async ({ page }) => {
  await signUp(page, newcomer())
  await page.evaluate(() => Object.assign(globalThis, { isOldPage: true }))
  await page.getByRole('button', { name: /refresh page/i }).click()
  await expect.poll(() => page.evaluate(() => 'isOldPage' in globalThis)).toBe(false)
})

test('an unknown path shows the not-found page, whose destinations can be filtered', async ({ page }) => {
  await signUp(page, newcomer())
  await page.goto('/no/such/page')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByPlaceholder('Filter destinations...').fill('create secret')
  await expect(page.getByRole('main').getByRole('link', { name: 'Create secret' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Networks' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
})

test('from an address that does not exist one goes back to the page before it, although it was typed', async ({
  page,
}) => {
  await signUp(page, newcomer())
  await page.goto('/workflows/runs')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/no/such/page')
  await page.getByRole('button', { name: 'Go back' }).click()
  await expect(page).toHaveURL('/workflows/runs')
})

test('what menus lead to is a link: Ctrl+click opens it in a tab of its own', async ({ page, context }) => {
  await signUp(page, newcomer())
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  const profile = page.getByRole('menuitem', { name: 'Profile' })
  const opened = context.waitForEvent('page')
  await profile.click({ modifiers: ['Control'] })
  await expect(await opened).toHaveURL('/profile')
  await expect(page).toHaveURL('/')
  await page.getByRole('button', { name: 'Switch service' }).click()
  const openedService = context.waitForEvent('page')
  await page.getByRole('option', { name: /^Workflows/ }).click({ modifiers: ['Control'] })
  await expect(await openedService).toHaveURL('/workflows')
  await expect(page).toHaveURL('/')
})

test('a second organization is made, switched to and back, and each keeps its own', async ({ page }) => {
  await signUp(page, newcomer('First Works'))
  await page.goto('/workspaces/create')
  await page.getByLabel('Name').fill('Second Works')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('button', { name: /Ada Lovelace.*Second Works/s })).toBeVisible()
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('menuitem', { name: 'Switch Organization' }).hover()
  await expect(page.getByRole('menuitemcheckbox', { name: 'Second Works' })).toBeChecked()
  await page
    .getByRole('menuitemcheckbox', { name: 'First Works' })
    .or(page.getByRole('menuitemradio', { name: 'First Works' }))
    .click()
  await expect(page.getByRole('button', { name: /Ada Lovelace.*First Works/s })).toBeVisible()
})

test('on a phone the name of the page has room beside the age of what is shown', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signUp(page, newcomer())
  const header = page.getByRole('banner')
  await expect(header.getByText('live', { exact: true })).toBeVisible()
  await context.setOffline(true)
  await expect(header.getByText('disconnected')).toBeVisible()
  await expect(header.getByText(/as of \d\d:\d\d:\d\d/)).toBeVisible()
  const name = header.getByText('Dashboard', { exact: true })
  expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
  expect(await header.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
})
