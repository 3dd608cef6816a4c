import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

const bell = (page: Page, words: string | RegExp = /^Notifications/) =>
  page.getByRole('banner').getByRole('button', { name: words })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const rows = (page: Page) => panel(page).getByRole('list', { name: 'Notifications' }).getByRole('listitem')

async function enter(page: Page, session: BeySession, path = '/'): Promise<void> {
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto(path)
  await expect(page.getByRole('banner').getByText('live')).toBeVisible()
}

/** Opens the palette while its list cannot be read, which is said in a toast that stays. */
async function raiseError(page: Page): Promise<void> {
  await page.route('**/api/palette*', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'about:blank',
        title: 'Internal error',
        status: 500,
        detail: 'The index is broken.',
        code: 'internal',
        requestId: 'req-e2e',
      }),
    }),
  )
  await page.keyboard.press('ControlOrMeta+K')
  const toast = page.getByRole('alert').filter({ hasText: 'Failed to load data' })
  await expect(toast).toBeVisible()
  const pageFont = await page.evaluate(() => getComputedStyle(document.body).fontFamily)
  await expect(toast).toHaveCSS('font-family', pageFont)
  await page.keyboard.press('Escape')
}

test('what a toast said survives a reload, is copied with its request id, and is read in step across tabs', async ({
  page,
  context,
  bey,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const session = await signUpByApi(bey.url, newcomer())
  await enter(page, session)
  await raiseError(page)
  // One has seen it: it is kept, but does not count as unread.
  await bell(page).click()
  await rows(page).getByRole('button', { name: 'Mark as unread' }).click()
  await expect(bell(page, 'Notifications, 1 unread')).toBeVisible()
  await page.keyboard.press('Escape')
  // An error stays until it is closed.
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to load data' })).toBeVisible()
  await page.reload()
  await expect(bell(page, 'Notifications, 1 unread')).toBeVisible()

  const other = await context.newPage()
  await enter(other, session)
  await bell(other, 'Notifications, 1 unread').click()
  await expect(rows(other).getByText('Failed to load data')).toBeVisible()
  await expect(rows(other).getByText('The index is broken.')).toBeVisible()
  await rows(other).getByRole('button', { name: 'Copy error' }).click()
  expect(await other.evaluate(() => navigator.clipboard.readText())).toBe(
    'Failed to load data\nThe index is broken.\nRequest req-e2e',
  )

  await bell(page).click()
  await rows(page).getByRole('button', { name: 'Mark as read' }).click()
  await expect(bell(other, 'Notifications')).toBeVisible()
  await expect(rows(other).getByRole('button', { name: 'Mark as unread' })).toBeVisible()
  await panel(page).getByRole('button', { name: 'Clear read notifications' }).click()
  await expect(panel(other).getByRole('heading', { name: 'No notifications' })).toBeVisible()
})

test('an operation shows its progress with the way to it, and its end is kept for who started it', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await enter(page, session)
  await bell(page).click()
  await expect(panel(page).getByRole('heading', { name: 'No notifications' })).toBeVisible()
  const ongoing = panel(page).getByRole('region', { name: 'In progress' })
  const seen = Promise.all([
    expect(
      ongoing.getByRole('progressbar', { name: 'Progress of Provision cluster, announced' }),
    ).toBeVisible(),
    expect(ongoing.getByRole('button', { name: 'Cancel Provision cluster' })).toBeEnabled(),
    expect(ongoing.getByRole('link', { name: 'announced' })).toHaveAttribute('href', /clusters\/\d+$/),
    expect(bell(page, /1 in progress/)).toBeVisible(),
  ])
  await session.client.call('clusters.create', { body: { title: 'announced', provider: 'sandbox' } })
  await seen
  await expect(rows(page).getByText('Provision cluster completed')).toBeVisible({ timeout: 30_000 })
  await expect(ongoing).toHaveCount(0)
  await expect(bell(page, 'Notifications, 1 unread')).toBeVisible()
  await rows(page)
    .getByRole('link', { name: /Provision cluster completed/ })
    .click()
  await expect(page).toHaveURL(/\/workflows\/.+\/runs\//)
  await expect(panel(page)).toHaveCount(0)
  await expect(bell(page, 'Notifications')).toBeVisible()
})

test('by keyboard: opened by its chord, walked by arrows, dismissed by Delete, left to where one was', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
  await session.client.call('notifications.record', {
    body: {
      notifications: ['first', 'second', 'third'].map((title, index) => ({
        id: `019a0000-0000-7000-8000-00000000000${index}`,
        level: 'warning' as const,
        title,
        href: '/workflows',
        at: at(index),
      })),
    },
  })
  await enter(page, session)
  const home = page.getByRole('button', { name: 'Refresh page' })
  await home.focus()
  await page.keyboard.press('g')
  await page.keyboard.press('b')
  await expect(rows(page)).toHaveCount(3)
  const title = (name: string) => rows(page).getByRole('link', { name: new RegExp(name) })
  await page.keyboard.press('ArrowDown')
  await expect(title('first')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Delete')
  await expect(rows(page)).toHaveCount(2)
  await expect(title('third')).toBeFocused()
  await page.keyboard.press('Home')
  await expect(title('first')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(home).toBeFocused()
  await expect(bell(page, 'Notifications, 2 unread')).toBeVisible()
  await bell(page).click()
  await panel(page).getByRole('button', { name: 'Mark all as read' }).click()
  await expect(bell(page, 'Notifications')).toBeVisible()
  await title('third').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/workflows$/)
})

test('a list that cannot be read says why, and is read on Retry', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  await enter(page, session)
  await page.route('**/api/notifications?*', (route) => route.abort())
  await bell(page).click()
  await expect(panel(page).getByText('Failed to fetch notifications')).toBeVisible({ timeout: 20_000 })
  await page.unroute('**/api/notifications?*')
  await panel(page).getByRole('button', { name: 'Retry' }).click()
  await expect(panel(page).getByRole('heading', { name: 'No notifications' })).toBeVisible()
})

test('on a phone the list is a sheet', async ({ page, bey }) => {
  await page.setViewportSize({ width: 360, height: 780 })
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto('/')
  await bell(page).click()
  await expect(panel(page).getByRole('heading', { name: 'No notifications' })).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})
