import type { Page, WebSocketRoute } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

let token = ''

test.beforeAll(async ({ bey }) => {
  token = (await signUpByApi(bey.url, newcomer())).token
})

test.beforeEach(async ({ page }) => {
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), token)
})

const indicator = (page: Page) => page.getByRole('banner').getByRole('button', { name: /Connection status/ })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'WebSocket Connection Status' })
const fact = (page: Page, label: string) =>
  dialog(page)
    .locator('dl > div', { has: page.getByText(label, { exact: true }) })
    .locator('dd')

async function openDialog(page: Page): Promise<void> {
  await page.goto('/workflows')
  await indicator(page).click()
  await expect(dialog(page)).toBeVisible()
}

test('the dialog tells everything about the connection', async ({ page }) => {
  await openDialog(page)
  await expect(dialog(page).getByText('live', { exact: true })).toBeVisible()
  await expect(fact(page, 'Attempts')).toHaveText('0 of infinity')
  await expect(fact(page, 'Connected since')).toHaveText('just now')
  await expect(fact(page, 'Ping time')).toHaveText(/^\d+ ms$/)
  await expect(fact(page, 'Connection id')).toContainText('…')
  await expect(fact(page, 'Organization')).toContainText('Analytical Engines')
  await expect(fact(page, 'User')).toContainText('@example.com')
  await expect(fact(page, 'IP address')).toHaveText('127.0.0.1')
  await expect(dialog(page)).toContainText(
    'given up after 10 s. Retries are unlimited, with exponential backoff',
  )
  await dialog(page).getByText('When a connection fails').click()
  for (const hint of ['Connection refused', '401 unauthorized (token expired)', 'CORS error', 'Time-out']) {
    await expect(dialog(page).getByText(hint, { exact: true })).toBeVisible()
  }
  await dialog(page).getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(indicator(page)).toBeFocused()
})

test('on a telephone the longest name and address of mail are read in whole', async ({ page, bey }) => {
  const ada = newcomer('Analytical Engines of Great Britain & Co.')
  const person = { ...ada, email: `ada.augusta.king.countess.of.lovelace.${ada.email}` }
  const long = await signUpByApi(bey.url, person)
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), long.token)
  await page.setViewportSize({ width: 390, height: 844 })
  await openDialog(page)
  await expect(fact(page, 'User')).toHaveText(person.email)
  const edge = await dialog(page).evaluate((element) => element.getBoundingClientRect().right)
  for (const label of ['Attempts', 'Organization', 'User', 'Server version']) {
    const right = await fact(page, label).evaluate((element) => element.getBoundingClientRect().right)
    expect(right, label).toBeLessThan(edge)
  }
})

test('raw traffic is listed both ways, and no token with it', async ({ page }) => {
  await openDialog(page)
  const raw = dialog(page).getByRole('list', { name: 'Raw traffic' })
  await expect(raw.getByText('{"type":"AUTHENTICATE","payload":{"token":"[redacted]"')).toBeVisible()
  await expect(raw.getByText('sent').first()).toBeVisible()
  await expect(raw.getByText('received').first()).toBeVisible()
  await expect(dialog(page)).not.toContainText(token)
})

test('the message log is filtered by type, searched, unfolded and held still', async ({ page }) => {
  await openDialog(page)
  const rows = dialog(page).getByRole('list', { name: 'Messages' }).getByRole('listitem')
  await dialog(page).getByLabel('Type of message').selectOption('sent')
  await expect(rows.filter({ hasText: 'received' })).toHaveCount(0)
  await dialog(page).getByLabel('Type of message').selectOption('PONG')
  await expect(rows).toHaveCount(1)
  await rows.getByRole('button', { name: /PONG/ }).click()
  await expect(dialog(page).getByRole('region', { name: 'PONG' })).toContainText('"timestamp":')
  await dialog(page).getByRole('button', { name: 'Pause' }).click()
  await dialog(page).getByLabel('Type of message').selectOption('all')
  const held = await rows.count()
  await dialog(page).getByRole('button', { name: 'Reconnect' }).click()
  await expect(dialog(page).getByText(/messages? · \d+ newer/)).toBeVisible()
  await expect(rows).toHaveCount(held)
  await dialog(page).getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(held)
  await dialog(page).getByLabel('Search messages').fill('no such words')
  await expect(dialog(page).getByText('No message matches.')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(held)
})

test('a deliberate disconnect is shown with the age of what is shown, until one reconnects', async ({
  page,
}) => {
  await openDialog(page)
  await dialog(page).getByRole('button', { name: 'Disconnect' }).click()
  await expect(dialog(page).getByText('disconnected', { exact: true })).toBeVisible()
  await expect(fact(page, 'Last error')).toHaveText('—')
  await expect(dialog(page).getByRole('button', { name: 'Disconnect' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('Escape')
  await expect(indicator(page)).toHaveText(/disconnected\s*· as of \d\d:\d\d:\d\d$/)
  await indicator(page).click()
  await dialog(page).getByRole('button', { name: 'Reconnect' }).click()
  await expect(dialog(page).getByText('live', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(indicator(page)).toHaveText('Connection status: live')
})

test('a first connection that takes long is called connecting', async ({ page }) => {
  await page.routeWebSocket(/\/ws$/, () => undefined)
  await page.goto('/workflows')
  await expect(indicator(page)).toHaveText(/^Connection status: connecting/)
  await indicator(page).click()
  await expect(dialog(page).getByText('connecting', { exact: true })).toBeVisible()
})

test('a connection that never opened is called connecting by header and dialog, however often it fails', async ({
  page,
}) => {
  await page.routeWebSocket(/\/ws$/, (socket) => void socket.close())
  await page.goto('/workflows')
  await expect(indicator(page)).toHaveText(/^Connection status: connecting/)
  await indicator(page).click()
  await expect(fact(page, 'Attempts')).toHaveText(/^([2-9]|\d\d) of infinity$/)
  await expect(dialog(page).getByText('connecting', { exact: true })).toBeVisible()
  await expect(dialog(page).getByText('reconnecting', { exact: true })).toHaveCount(0)
})

test('a connection that fails is explained, attempt after attempt', async ({ page }) => {
  let answer: (socket: WebSocketRoute) => void = (socket) => void socket.connectToServer()
  await page.clock.install()
  await page.routeWebSocket(/\/ws$/, (socket) => answer(socket))
  await openDialog(page)
  await expect(dialog(page).getByText('live', { exact: true })).toBeVisible()
  const reconnect = () => dialog(page).getByRole('button', { name: 'Reconnect' }).click()
  const notice = dialog(page)
    .getByRole('status')
    .filter({ hasNotText: /message/ })

  answer = (socket) => void socket.close()
  await reconnect()
  await expect(dialog(page).getByText('reconnecting', { exact: true })).toBeVisible()
  await expect(async () => {
    await page.clock.fastForward(2_500)
    await expect(fact(page, 'Attempts')).toHaveText(/^([2-9]|\d\d) of infinity$/, { timeout: 500 })
  }).toPass()
  await expect(notice.filter({ hasText: 'CORS error' })).toBeVisible()

  await page.route('**/health', (route) => route.abort())
  await expect(async () => {
    await page.clock.fastForward(10_500)
    await expect(notice.filter({ hasText: 'Connection refused' })).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.unroute('**/health')

  answer = () => undefined
  await reconnect()
  await expect(dialog(page).getByText('reconnecting', { exact: true })).toBeVisible()
  await expect(async () => {
    await page.clock.fastForward(10_500)
    await expect(notice.filter({ hasText: 'Time-out' })).toBeVisible({ timeout: 500 })
  }).toPass()
  await expect(fact(page, 'Last error')).toHaveText('Connection timeout')

  answer = (socket) => {
    const refusal = { type: 'AUTHENTICATED', payload: { success: false, error: 'The session has expired' } }
    socket.onMessage(() => socket.send(JSON.stringify(refusal)))
  }
  await reconnect()
  await page.clock.fastForward(200)
  await expect(notice.filter({ hasText: '401 unauthorized (token expired)' })).toBeVisible()
  await expect(fact(page, 'Last error')).toHaveText('The session has expired')
})
