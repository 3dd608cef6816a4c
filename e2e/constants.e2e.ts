import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, signUp, test } from './bey.ts'

// How long things move is among what is measured.
test.use({ reducedMotion: 'no-preference' })

test('a toast stands bottom right, 356 px wide, and goes after 4 s', async ({ page }) => {
  await signUp(page, newcomer())
  await page.getByRole('button', { name: /Ada Lovelace/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  const toast = page.getByRole('status').filter({ hasText: 'Signed out successfully' })
  await expect(toast).toBeVisible()
  const shownAt = Date.now()
  const box = await toast.boundingBox()
  expect(box?.width).toBe(356)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1400)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeGreaterThan(800)
  await expect(toast).toHaveCount(0)
  expect(Date.now() - shownAt).toBeGreaterThan(3000)
})

test('a tooltip opens after 700 ms', async ({ page }) => {
  await signUp(page, newcomer())
  await expect(page.getByRole('banner').getByText('live')).toBeVisible()
  // What shows tooltips comes in the same idle moment as the connection.
  await page.waitForLoadState('networkidle')
  const tooltip = page.getByRole('tooltip')
  await expect(async () => {
    await page.mouse.move(700, 500)
    await page.getByRole('button', { name: 'Refresh page' }).hover()
    const hoveredAt = Date.now()
    await tooltip.waitFor({ timeout: 3_000 })
    expect(Date.now() - hoveredAt).toBeGreaterThan(600)
  }).toPass()
})

test('a copied id is confirmed for a while, and the cluster panel slides in for 500 ms and out for 300', async ({
  page,
  context,
  bey,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const session = await signUpByApi(bey.url, newcomer())
  const { id } = await session.client.call('clusters.create', {
    body: { title: 'panelled', provider: 'sandbox' },
  })
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto(`/kubernetes/clusters?panel=${id}`)
  const panel = page.getByRole('dialog')
  await expect(panel.getByText('Kubernetes Cluster').first()).toBeVisible()
  const duration = () => panel.evaluate((element) => getComputedStyle(element).animationDuration)
  expect(await duration()).toBe('0.5s')
  await page.evaluate(() => {
    document.addEventListener('animationstart', ({ target }) => {
      if (!(target instanceof Element) || target.getAttribute('role') !== 'dialog') return
      document.documentElement.dataset['closing'] = getComputedStyle(target).animationDuration
    })
  })
  await page.getByRole('button', { name: 'Close' }).first().click()
  await expect(panel).toHaveCount(0)
  await expect(page.locator('html')).toHaveAttribute('data-closing', '0.3s')
  await page.goto(`/kubernetes/clusters/${id}`)
  // Until the figures of the running cluster are here, the page is another one.
  await expect(page.getByRole('heading', { name: 'Capacity' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('kube-system').first()).toBeVisible({ timeout: 30_000 })
  const copy = page.getByRole('button', { name: /^Copy( id)?$/i }).first()
  await copy.click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copied' })).toHaveCount(0)
  // For how long it stands is proved without a clock of the machine in use-copy.test.tsx.
})

test('the cluster panel tells what the cluster is, holds and can do, in three quarters of a phone', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const { id } = await session.client.call('clusters.create', {
    body: { title: 'panelled', provider: 'sandbox' },
  })
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto(`/kubernetes/clusters?panel=${id}`)
  const panel = page.getByRole('dialog', { name: 'panelled' })
  await expect(panel.getByText('Kubernetes Cluster')).toBeVisible()
  await expect(panel.getByText('Uptime')).toBeVisible({ timeout: 30_000 })
  await expect(panel.getByText('running', { exact: true })).toBeVisible()
  for (const title of ['Cluster information', 'Resources', 'Quick stats']) {
    await expect(panel.getByRole('heading', { name: title })).toBeVisible()
  }
  const facts = ['Version', 'Nodes', 'Created', 'Region', 'Workloads', 'Services', 'Pods', 'Uptime']
  for (const label of facts) await expect(panel.getByText(label, { exact: true }).first()).toBeVisible()
  for (const label of ['CPU', 'Memory', 'Storage']) {
    await expect(panel.getByText(new RegExp(`^${label}`)).first()).toBeVisible()
  }
  for (const action of ['Download kubeconfig', 'Delete cluster']) {
    await expect(panel.getByRole('button', { name: action })).toBeVisible()
  }
  await expect(panel.getByRole('link', { name: 'View cluster details' })).toBeVisible()
  await expect.poll(async () => (await panel.boundingBox())?.width).toBe(384)
  await page.setViewportSize({ width: 400, height: 844 })
  await expect.poll(async () => (await panel.boundingBox())?.width).toBe(300)
})
