import type { BrowserContext, Page } from '@playwright/test'
import { logInByApi, signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'
import type { Person } from './bey.ts'
import { open, palette, search } from './palette-page.ts'

type Visitor = { person: Person; session: BeySession; url: string }

async function visitor(url: string): Promise<Visitor> {
  const person = newcomer()
  return { person, session: await signUpByApi(url, person), url }
}

/** A tab in which the person is logged in, once it is live. */
async function tabOf(context: BrowserContext, { session, url }: Visitor, path: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}/forgot-password`)
  await page.evaluate((token) => {
    // Written once: a token that was taken away is not put back.
    if (localStorage.getItem('bey-token') === null) localStorage.setItem('bey-token', token)
  }, session.token)
  await page.goto(`${url}${path}`)
  await expect(page.getByRole('banner').getByText('live', { exact: true })).toBeVisible()
  return page
}

/** Ends the session behind the browser's back. */
const endSession = async ({ session }: Visitor) => void (await session.client.call('auth.logout', {}))

const asking = (page: Page) => page.getByRole('dialog', { name: 'Unauthorized: Please log in again.' })

async function logInAgain(page: Page, password: string) {
  await asking(page).getByLabel('Password').fill(password)
  await asking(page).getByRole('button', { name: 'Login' }).click()
}

const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)

test('a session that ends while one types takes no key of the sentence', async ({ context, bey }) => {
  const ada = await visitor(bey.url)
  const page = await tabOf(context, ada, '/kubernetes/clusters/create')
  await page.waitForLoadState('networkidle')
  // Time stands still from here on: how long the machine takes between two keys is no pause of the person.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  const title = page.getByLabel('Title')
  const password = asking(page).getByLabel('Password')
  await title.focus()
  await page.keyboard.type('the-quick-brown-')
  const ended = endSession(ada)
  await expect(asking(page)).toBeVisible()
  await ended
  await page.keyboard.type('fox-jumps-')
  await page.clock.runFor(490)
  await page.keyboard.type('over-the-')
  await page.clock.runFor(490)
  await page.keyboard.type('lazy-dog')
  await expect(title).toHaveValue('the-quick-brown-fox-jumps-over-the-lazy-dog')
  await expect(title).toBeFocused()
  await expect(password).toHaveValue('')

  await page.clock.runFor(600)
  await expect(password).toBeFocused()
  await page.clock.resume()
  await page.keyboard.type(ada.person.password)
  await page.keyboard.press('Enter')
  await expect(asking(page)).toHaveCount(0)
  await expect(title).toHaveValue('the-quick-brown-fox-jumps-over-the-lazy-dog')
})

test('an expired session asks over the page, and the same user goes on with what was typed, sent once', async ({
  context,
  bey,
}) => {
  const ada = await visitor(bey.url)
  const page = await tabOf(context, ada, '/kubernetes/clusters/create')
  await page.getByLabel('Title').fill('prod-eu-1')
  let sent = 0
  await page.route('**/api/kubernetes/clusters', async (route) => {
    if (route.request().method() === 'POST') sent += 1
    // The console has not noticed yet when the form is sent.
    if (sent === 1) await endSession(ada)
    await route.continue()
  })
  await page.evaluate(() => {
    window.addEventListener('unauthorizedAccess', () => (document.documentElement.dataset['raised'] = 'yes'))
  })
  await page.getByRole('button', { name: 'Create cluster' }).click()

  await expect(asking(page)).toBeVisible()
  await expect(asking(page).getByLabel('Email')).toHaveValue(ada.person.email)
  await expect(asking(page).getByLabel('Password')).toBeFocused()
  expect([await stored(page, 'bey-token'), await stored(page, 'bey-userData')]).toEqual([null, null])
  await expect(page.locator('html[data-raised="yes"]')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(asking(page)).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await logInAgain(page, 'wrong')
  await expect(asking(page).getByText('The email address or the password is wrong.')).toBeVisible()
  await logInAgain(page, ada.person.password)
  await expect(asking(page)).toHaveCount(0)

  await expect(page.getByText(/this was not done. You are logged in again: try once more/)).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('prod-eu-1')
  await expect(page).toHaveURL(/\/kubernetes\/clusters\/create$/)
  await expect(page.getByRole('banner').getByText('live', { exact: true })).toBeVisible()
  expect(sent).toBe(1)
  await page.getByRole('button', { name: 'Create cluster' }).click()
  await expect(page).toHaveURL(/\/kubernetes\/clusters\/\d+/)
  expect(sent).toBe(2)
  const again = await logInByApi(bey.url, ada.person)
  expect((await again.client.call('clusters.list', { query: {} })).total).toBe(1)
})

test('an idle page learns of it by the socket, keeps its data marked as old, and follows again afterwards', async ({
  context,
  bey,
}) => {
  const ada = await visitor(bey.url)
  await ada.session.client.call('clusters.create', { body: { title: 'staging', provider: 'sandbox' } })
  const page = await tabOf(context, ada, '/kubernetes/clusters')
  await expect(page.getByRole('row', { name: /staging/ })).toBeVisible()
  const actions = page.getByRole('button', { name: /Actions for staging/ })
  await actions.focus()
  await endSession(ada)
  await expect(asking(page)).toBeVisible()
  await expect(page.getByText('staging').first()).toBeVisible()
  await expect(page.locator('header').getByText(/as of \d\d:\d\d:\d\d/)).toBeVisible()
  await logInAgain(page, ada.person.password)
  await expect(asking(page)).toHaveCount(0)
  await expect(actions).toBeFocused()
  await expect(page.getByRole('banner').getByText('live', { exact: true })).toBeVisible()
})

test('a session that ends under the palette is asked about above it, and what was searched for stays', async ({
  context,
  bey,
}) => {
  const ada = await visitor(bey.url)
  const page = await tabOf(context, ada, '/workflows')
  await open(page)
  await search(page).fill('secrets')
  await endSession(ada)
  await expect(asking(page).getByLabel('Password')).toBeFocused()
  // The question dims the palette too, and a press on it does not reach what lies beneath.
  const top = await search(page).boundingBox()
  const isCovered = ({ x, y }: { x: number; y: number }) =>
    document.elementFromPoint(x, y)?.closest('[role=dialog]') === null
  expect(await page.evaluate(isCovered, { x: (top?.x ?? 0) + 4, y: (top?.y ?? 0) + 4 })).toBe(true)
  await logInAgain(page, ada.person.password)
  await expect(asking(page)).toHaveCount(0)
  await expect(palette(page)).toBeVisible()
  await expect(search(page)).toHaveValue('secrets')
  await expect(search(page)).toBeFocused()
})

test('all tabs ask, and logging in in one lets the others go on; as somebody else it starts them over', async ({
  context,
  bey,
}) => {
  const ada = await visitor(bey.url)
  const charles = await visitor(bey.url)
  const one = await tabOf(context, ada, '/workflows')
  const two = await tabOf(context, ada, '/workspaces/create')
  await two.getByLabel('Name').fill('Half a name')
  await endSession(ada)
  for (const page of [one, two]) await expect(asking(page)).toBeVisible()
  await logInAgain(one, ada.person.password)
  for (const page of [one, two]) await expect(asking(page)).toHaveCount(0)
  await expect(two.getByLabel('Name')).toHaveValue('Half a name')
  await expect(two.getByRole('banner').getByText('live', { exact: true })).toBeVisible()

  await one.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('bey-token')}` }
    await fetch('/api/auth/logout', { method: 'POST', headers })
  })
  for (const page of [one, two]) await expect(asking(page)).toBeVisible()
  await asking(one).getByLabel('Email').fill(charles.person.email)
  await expect(asking(one).getByText('You are logging in as another user')).toBeVisible()
  await logInAgain(one, charles.person.password)
  for (const page of [one, two]) {
    await expect(page).toHaveURL(`${bey.url}/`)
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  }
  expect(JSON.parse((await stored(two, 'bey-userData')) ?? '{}')).toMatchObject({
    email: charles.person.email,
  })
})

test('Log out instead leads to the login page, without a way back into what was shown', async ({
  context,
  bey,
}) => {
  const ada = await visitor(bey.url)
  const page = await tabOf(context, ada, '/workflows/runs')
  await endSession(ada)
  await asking(page).getByRole('button', { name: 'Log out instead' }).click()
  await expect(page).toHaveURL(`${bey.url}/login`)
  await expect(page.getByText('Signed out successfully')).toBeVisible()
  await page.goto(`${bey.url}/workflows/runs`)
  await expect(page).toHaveURL(/\/login\?from=/)
})

test('signing out by chord and by palette clears the session in every tab', async ({ context, bey }) => {
  for (const way of ['chord', 'palette'] as const) {
    const ada = await visitor(bey.url)
    const one = await tabOf(context, ada, '/')
    const two = await tabOf(context, ada, '/workflows')
    await one.bringToFront()
    if (way === 'chord') await one.keyboard.press('Control+Shift+Q')
    else {
      await one.keyboard.press('Control+k')
      await one.getByRole('combobox').fill('sign out')
      await one.keyboard.press('Enter')
    }
    await expect(one.getByText('Signed out successfully')).toBeVisible()
    for (const page of [one, two]) {
      await expect(page).toHaveURL(/\/login/)
      for (const key of ['bey-token', 'bey-userData', 'bey-organization-id', 'selectedOrganization'])
        expect(await stored(page, key)).toBeNull()
      await page.close()
    }
  }
})

test('what was typed is asked about before every way of leaving, and is lost only on demand', async ({
  context,
  bey,
}) => {
  const ada = await visitor(bey.url)
  await ada.session.client.call('organizations.create', { body: { name: 'Second Works' } })
  const page = await tabOf(context, ada, '/kubernetes/clusters/create')
  await page.getByLabel('Title').fill('prod-eu-1')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  const keep = async () => {
    await expect(question.getByText('the cluster “prod-eu-1”')).toBeVisible()
    await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(question).toHaveCount(0)
    await expect(page.getByLabel('Title')).toHaveValue('prod-eu-1')
  }

  await page.getByRole('link', { name: 'Cancel' }).click()
  await keep()
  await page.keyboard.press('Control+Shift+Q')
  await keep()
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('menuitem', { name: 'Switch Organization' }).hover()
  await page.getByRole('menuitemcheckbox', { checked: false }).click()
  await keep()
  const closing = page.waitForEvent('dialog')
  void page.reload().catch(() => undefined)
  const native = await closing
  expect(native.type()).toBe('beforeunload')
  await native.dismiss()
  await expect(page.getByLabel('Title')).toHaveValue('prod-eu-1')

  await page.getByRole('link', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Discard and leave' }).click()
  await expect(page).toHaveURL(/\/kubernetes\/clusters$/)
})

test('a tab stays in its organization while another tab switches', async ({ context, bey }) => {
  const ada = await visitor(bey.url)
  await ada.session.client.call('organizations.create', { body: { name: 'Second Works' } })
  const one = await tabOf(context, ada, '/')
  const two = await tabOf(context, ada, '/')
  const organizationIn = (page: Page) => page.getByRole('button', { name: /Ada Lovelace/ })
  const before = await organizationIn(two).textContent()
  await one.bringToFront()
  await organizationIn(one).click()
  await one.getByRole('menuitem', { name: 'Switch Organization' }).hover()
  await one.getByRole('menuitemcheckbox', { checked: false }).click()
  await expect(organizationIn(one)).not.toHaveText(before ?? '')
  await expect(one.getByRole('banner').getByText('live', { exact: true })).toBeVisible()
  await two.reload()
  await expect(two.getByRole('banner').getByText('live', { exact: true })).toBeVisible()
  await expect(organizationIn(two)).toHaveText(before ?? '')
})
