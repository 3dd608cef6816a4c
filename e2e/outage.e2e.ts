import { signUpByApi } from '../tools/api-session.ts'
import { startBey } from '../tools/bey-server.ts'
import { expect, newcomer, test } from './bey.ts'

test('while the server is stopped, the connection, the shortcuts and the services can be looked at', async ({
  page,
}) => {
  const server = await startBey({ main: 'packages/server/src/testing/browser-test-server.ts' })
  const session = await signUpByApi(server.url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto(server.url)
  await expect(page.getByRole('banner').getByText('live')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const icon = page.locator('link[rel="icon"]')
  await expect(icon).toHaveAttribute('data-state', 'healthy')
  await server.stop()
  await expect(page.getByRole('banner').getByText('live')).toHaveCount(0)
  await expect(icon).toHaveAttribute('data-state', 'disconnected')
  await expect(page.locator('html')).toHaveAttribute('data-stale', '')

  await page.getByRole('button', { name: /^Connection status/ }).click()
  await expect(page.getByRole('dialog', { name: 'WebSocket Connection Status' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Switch service' }).click()
  await expect(page.getByPlaceholder('Search services...')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
})

test('a part that was asked for and cancelled with Escape does not open once it has come', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.setViewportSize({ width: 390, height: 844 })
  let release = () => {}
  const waiting = new Promise<void>((done) => (release = done))
  await page.route(/\/assets\/mobile-sidebar-[^/]*\.js$/, async (route) => {
    await waiting
    return route.continue()
  })
  await page.goto(bey.url)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await expect(page.getByText('Esc cancels')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Esc cancels')).toHaveCount(0)
  const arrived = page.waitForResponse(/\/assets\/mobile-sidebar-[^/]*\.js$/)
  release()
  await arrived
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(1)
})
