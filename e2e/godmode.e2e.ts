import { test as base, expect } from '@playwright/test'
import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import type { BeyServer } from '../tools/bey-server.ts'
import { newcomer } from './bey.ts'
import type { Person } from './bey.ts'

/** A development server that lets testers impersonate. */
const test = base.extend<{ baseURL: string }, { bey: BeyServer }>({
  bey: [
    // The empty pattern is what Playwright asks for where a fixture needs no other.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const server = await startBey({ env: { NODE_ENV: 'development', BEY_GODMODE: '1' } })
      await provide(server)
      await server.stop()
      removeData(server)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ bey }, provide) => provide(bey.url),
})

const grace: Person = { ...newcomer('Navy'), name: 'Grace Hopper' }
const ada: Person = newcomer()

test.beforeAll(async ({ bey }) => {
  for (const person of [grace, ada]) await signUpByApi(bey.url, person)
})

const block = (page: Page) => page.getByRole('region', { name: 'Development impersonation' })
const banner = (page: Page) => page.getByRole('region', { name: 'Impersonation', exact: true })

test('a tester chooses a user on the login page, acts as them under a banner, and exits to the login page', async ({
  page,
}) => {
  await page.goto('/login')
  await expect(block(page).getByText(/Impersonation is on/)).toBeVisible()
  const button = block(page).getByRole('button', { name: /^Impersonate/ })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await block(page).getByLabel('Filter users').fill('grace')
  const row = block(page).getByRole('radio', { name: /Grace Hopper/ })
  await expect(row).toHaveAccessibleName(/Navy.*owner/)
  await expect(block(page).getByRole('radio')).toHaveCount(1)
  await row.check()
  const sent = page.waitForRequest('**/api/godmode/impersonate')
  await button.click()
  expect((await sent).postDataJSON()).toEqual({ userId: expect.any(Number) })
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(banner(page)).toContainText(`You are impersonating Grace Hopper (${grace.email})`)
  await page.goto('/workflows/runs')
  await page.reload()
  await expect(banner(page)).toBeVisible()
  await banner(page).getByRole('button', { name: 'Exit impersonation' }).click()
  await expect(page.getByRole('heading', { name: 'Login to your account' })).toBeVisible()
  // The last one is offered first.
  await expect(block(page).getByRole('radio', { name: /Grace Hopper last time/ })).toBeChecked()
})

test('who is logged in impersonates from My Account and returns to the own session', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(ada.email)
  await page.getByLabel('Password').fill(ada.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('button', { name: /My Account/ }).click()
  await page.getByRole('menuitem', { name: 'Impersonate a user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Impersonate a user' })
  await dialog.getByRole('radio', { name: /Grace Hopper/ }).check()
  await dialog.getByRole('button', { name: 'Impersonate Grace Hopper' }).click()
  await expect(banner(page)).toContainText(`audited under ${ada.name} (${ada.email}) as well`)
  await expect(page.getByRole('button', { name: /My Account/ })).toContainText('Navy')
  await banner(page).getByRole('button', { name: 'Exit impersonation' }).click()
  await expect(page.getByRole('button', { name: /My Account/ })).toContainText('Analytical Engines')
  await expect(banner(page)).toHaveCount(0)
})

test('signing out while one impersonates ends both sessions on the server', async ({ page, bey }) => {
  const { token, client } = await signUpByApi(bey.url, newcomer())
  const { users } = await client.call('godmode.users', { query: { search: grace.email } })
  const user = users[0]
  if (!user) throw new Error('Grace Hopper is not in the list.')
  const entered = await client.call('godmode.impersonate', { body: { userId: user.id } })
  await page.addInitScript(
    ([impersonated, own]) => {
      if (sessionStorage.getItem('is-set')) return
      sessionStorage.setItem('is-set', 'yes')
      localStorage.setItem('bey-token', impersonated ?? '')
      localStorage.setItem('bey-impersonator-token', own ?? '')
    },
    [entered.token, token],
  )
  await page.goto('/')
  await expect(banner(page)).toBeVisible()
  await page.getByRole('button', { name: /My Account/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('heading', { name: 'Login to your account' })).toBeVisible()
  await expect(page.getByText('Signed out successfully')).toBeVisible()
  for (const each of [entered.token, token]) {
    const reply = await page.request.get(`${bey.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${each}` },
    })
    expect(reply.status()).toBe(401)
  }
})

test('what fails is said where it failed: Failed to load users, Failed to impersonate user', async ({
  page,
}) => {
  await page.route('**/api/godmode/users*', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/login')
  await expect(block(page).getByText('Failed to load users')).toBeVisible()
  await page.unroute('**/api/godmode/users*')
  await block(page).getByRole('button', { name: 'Retry' }).click()
  await page.route('**/api/godmode/impersonate', (route) => route.fulfill({ status: 500, body: '' }))
  await block(page)
    .getByRole('radio', { name: /Grace Hopper/ })
    .check()
  await block(page).getByRole('button', { name: 'Impersonate Grace Hopper' }).click()
  await expect(block(page).getByText('Failed to impersonate user')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Login to your account' })).toBeVisible()
})

test('while the server has not said whether it is enabled the block is checking, and in production it is not', async ({
  page,
}) => {
  let answer = () => {}
  const asked = new Promise<void>((done) => (answer = done))
  await page.route('**/api/godmode/status', async (route) => {
    await asked
    await route.fulfill({
      json: { enabled: false, warning: 'Impersonation is never available in production.' },
    })
  })
  await page.goto('/login')
  await expect(page.getByText('Development impersonation · checking')).toBeVisible()
  answer()
  await expect(page.getByText('Development impersonation · not enabled')).toBeVisible()
  const button = page.getByRole('button', { name: 'Impersonate' })
  await expect(button).toHaveAccessibleDescription('Impersonation is never available in production.')
})
