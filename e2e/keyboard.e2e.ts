import type { Locator, Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

const live = (page: Page) => page.getByRole('banner').getByText('live', { exact: true })

/** Presses Tab until the thing has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error('Sixty presses of Tab did not lead there.')
}

test('one signs up, creates a cluster, looks at it, deletes it and goes elsewhere without a mouse', async ({
  page,
}) => {
  const ada = newcomer()
  await page.goto('/signup')
  await expect(page.getByLabel('Email')).toBeEnabled()
  for (const [label, value] of [
    ['Name', ada.name],
    ['Organization Name', ada.organization],
    ['Email', ada.email],
    ['Password', ada.password],
    ['Confirm Password', ada.password],
  ] as const) {
    await tabTo(page, page.getByLabel(label, { exact: true }))
    await page.keyboard.type(value)
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible()
  await expect(live(page)).toBeVisible()

  await test.step('a chord leads to the form, whose page has the focus and is announced', async () => {
    await page.keyboard.press('n')
    await page.keyboard.press('c')
    await expect(page.getByRole('heading', { name: 'Create cluster', level: 1 })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.locator('[aria-live="polite"][aria-atomic="true"]')).toHaveText('Create cluster')
    await expect(page).toHaveTitle('Create cluster · Bey')
    await tabTo(page, page.getByLabel('Title'))
    await page.keyboard.type('prod-eu-1')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/kubernetes\/clusters\/\d+/)
    await expect(page.getByText('running').first()).toBeVisible({ timeout: 30_000 })
  })

  const actions = page.getByRole('button', { name: 'Actions for prod-eu-1' })
  await test.step('the panel opens from the row and gives the focus back', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await expect(page.getByRole('heading', { name: 'Clusters', level: 1 })).toBeVisible()
    await tabTo(page, actions)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Quick view' })).toBeVisible()
    await choose(page, 'Quick view')
    await expect(page.getByRole('dialog')).toContainText('Kubernetes Cluster')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(actions).toBeFocused()
  })

  await test.step('the cluster is deleted by typing its name', async () => {
    await page.keyboard.press('Enter')
    await choose(page, 'Delete')
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
    await expect(dialog).toContainText('Are you sure you want to delete this cluster?')
    await tabTo(page, dialog.getByRole('textbox'))
    await page.keyboard.type('prod-eu-1')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('row', { name: /prod-eu-1/ })).toHaveCount(0, { timeout: 20_000 })
  })

  await test.step('the palette leads on', async () => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.type('runs')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/workflows\/runs/)
  })
})

test('sidebar and header are a few stops of the Tab key, with arrow keys inside', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto('/kubernetes/clusters')
  await expect(live(page)).toBeVisible()
  await expect(page.getByRole('button', { name: 'CLI and API' })).toBeVisible()

  const isInPage = () =>
    page.evaluate(() => document.querySelector('#main')?.contains(document.activeElement))
  let stops = 0
  while (!(await isInPage())) {
    await page.keyboard.press('Tab')
    stops += 1
    expect(stops).toBeLessThanOrEqual(12)
  }

  const sidebar = page.getByRole('navigation', { name: 'Services' })
  await page.getByRole('searchbox', { name: 'Search services' }).focus()
  await page.keyboard.press('Tab')
  await expect(sidebar.getByRole('link', { name: 'Clusters', exact: true })).toBeFocused()
  await page.keyboard.press('Home')
  await expect(sidebar.getByRole('link', { name: 'Dashboard' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  // Closed with the same key that opens it.
  await expect(sidebar.getByRole('button', { name: 'Kubernetes' }).first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('navigation', { name: 'Settings' }).getByRole('link').last()).toBeFocused()

  await page.getByRole('button', { name: 'Command palette' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('button', { name: 'Refresh page' })).toBeFocused()
  await page.keyboard.press('Tab')
  expect(await isInPage()).toBe(true)
})

/** Moves down the open menu to an item, and chooses it. */
async function choose(page: Page, name: string) {
  const item = page.getByRole('menuitem', { name })
  await item.waitFor()
  for (let presses = 0; presses < 12; presses += 1) {
    if (await item.evaluate((element) => element === document.activeElement)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

test('the organization is switched without a mouse', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer('First Works'))
  await session.client.call('organizations.create', { body: { name: 'Second Works' } })
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto('/')
  await expect(live(page)).toBeVisible()
  const user = page.getByRole('button', { name: /Ada Lovelace/ })
  const before = (await user.textContent())?.includes('First') ? 'First Works' : 'Second Works'
  const after = before === 'First Works' ? 'Second Works' : 'First Works'
  await tabTo(page, user, 'Shift+Tab')
  await page.keyboard.press('Enter')
  const submenu = page.getByRole('menuitem', { name: 'Switch Organization' })
  await submenu.waitFor()
  while (!(await submenu.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  const other = page.getByRole('menuitemcheckbox', { name: after })
  await other.waitFor()
  while (!(await other.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: new RegExp(`Ada Lovelace.*${after}`, 's') })).toBeVisible()
})

test('back and forward restore the scroll position and the service that the sidebar marks', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.setViewportSize({ width: 1280, height: 420 })
  await page.goto('/kubernetes/clusters/create')
  await expect(live(page)).toBeVisible()
  const main = page.getByRole('main')
  const service = (label: string) =>
    page.getByRole('link', { name: new RegExp(`^Bey, ${label} .*: go to the dashboard$`) })
  await expect(service('Kubernetes')).toBeVisible()
  await main.evaluate((element) => element.scrollTo(0, 120))
  await expect.poll(() => main.evaluate((element) => element.scrollTop)).toBe(120)
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page.getByRole('heading', { name: 'Secrets', level: 1 })).toBeVisible()
  await expect(service('Secrets')).toBeVisible()
  expect(await main.evaluate((element) => element.scrollTop)).toBe(0)
  await page.goBack()
  await expect(service('Kubernetes')).toBeVisible()
  await expect.poll(() => main.evaluate((element) => element.scrollTop)).toBe(120)
  await page.goForward()
  await expect(service('Secrets')).toBeVisible()
})
