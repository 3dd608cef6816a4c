import { defaultCards } from '@bey/contract'
import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { embeddedDatabaseUrl, seedMetrics } from '../tools/seed-metrics.ts'
import { seedCluster } from '../tools/seed-organization.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

let token = ''
let clusterId = 0

test.describe.configure({ timeout: 180_000 })
test.use({ colorScheme: 'light', viewport: { width: 1440, height: 900 } })

test.beforeAll(async ({ bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  token = session.token
  await session.client.call('analytics.setLayout', {
    body: { cards: [...defaultCards, { card: 'clusters', width: 12 }] },
  })
  clusterId = await seedCluster(session, 'prod-eu-1')
  await seedMetrics(session, embeddedDatabaseUrl(bey.dataDir), [clusterId])
})

test.beforeEach(async ({ page }) => {
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), token)
})

const chartOf = (page: Page, name: string) => page.getByRole('slider', { name })

test('the dashboard shows a day by cluster, and every value where it is pointed at', async ({ page }) => {
  await page.goto('/')
  const chart = chartOf(page, 'Use of allocatable, by cluster')
  await expect(chart).toBeVisible()
  // The line ends in its name and value, in both panels.
  await expect(page.locator('[data-series-end="prod-eu-1"]')).toHaveText([/prod-eu-1\d+%/, /prod-eu-1\d+%/])
  await expect(page.locator('canvas')).toHaveCount(2)
  await chart.hover({ position: { x: 200, y: 40 } })
  const values = page.locator('[data-chart-values]')
  await expect(values).toContainText(/\d{2}:\d{2}/)
  await expect(values).toContainText(/CPU.*Memory.*prod-eu-1\s*\d+%\s*\d+%/s)
  const row = page.getByRole('link', { name: /prod-eu-1/ }).last()
  await expect(row.getByRole('img', { name: /CPU of prod-eu-1 over 24 h, now \d+%/ })).toBeVisible()
  await expect(row.getByRole('img', { name: /Health of prod-eu-1 over 24 h: 0 h failing/ })).toBeVisible()
})

test('a dragged part of the time is shown closer, has an address, and is left again', async ({ page }) => {
  await page.goto('/')
  const chart = chartOf(page, 'Use of allocatable, by cluster')
  const box = await chart.boundingBox()
  if (!box) throw new Error('The chart has no place.')
  await page.mouse.move(box.x + box.width * 0.5, box.y + 30)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, box.y + 30, { steps: 4 })
  await expect(page.locator('[data-chart-selection]')).toBeVisible()
  await page.mouse.up()
  await expect(page).toHaveURL(/period=\d+-\d+/)
  const range = page.getByRole('group', { name: 'Range' })
  await expect(range.getByRole('radio', { name: '24 h' })).not.toBeChecked()
  await expect(page.locator('[data-series-end="prod-eu-1"]').first()).toBeVisible()
  await page.reload()
  await expect(page.locator('[data-series-end="prod-eu-1"]').first()).toBeVisible()
  await page.getByRole('button', { name: 'Reset zoom' }).click()
  await expect(page).not.toHaveURL(/period=/)
  await expect(range.getByRole('radio', { name: '24 h' })).toBeChecked()
  await page.getByRole('radio', { name: '6 h' }).check()
  await expect(page).toHaveURL(/period=6h/)
})

test('by keyboard the chart reads its values aloud, selects and zooms', async ({ page }) => {
  await page.goto('/')
  const chart = chartOf(page, 'Use of allocatable, by cluster')
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(chart).toHaveAttribute(
    'aria-valuetext',
    /\d{2}:\d{2}\. CPU: prod-eu-1 \d+%\. Memory: prod-eu-1 \d+%\./,
  )
  const before = await chart.getAttribute('aria-valuenow')
  await page.keyboard.press('PageDown')
  expect(Number(await chart.getAttribute('aria-valuenow'))).toBe(Number(before) - 12)
  for (let press = 0; press < 6; press += 1) await page.keyboard.press('Shift+ArrowLeft')
  await expect(page.locator('[data-chart-selection]')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/period=\d+-\d+/)
  await expect(chart).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/period=/)
})

test('the table says the same as the chart, in its room', async ({ page }) => {
  await page.goto('/')
  const chart = chartOf(page, 'Use of allocatable, by cluster')
  await expect(page.locator('[data-series-end="prod-eu-1"]').first()).toBeVisible()
  const spoken = await chart.getAttribute('aria-valuetext')
  const section = page.getByRole('region', { name: 'Use of allocatable, by cluster', exact: true })
  const before = await section.boundingBox()
  await page.getByRole('button', { name: 'Table' }).click()
  const table = page.getByRole('table', { name: 'Use of allocatable, by cluster' })
  const rows = table.getByRole('row')
  expect(await rows.count()).toBeGreaterThan(100)
  const cells = await rows.nth(1).getByRole('cell').allTextContents()
  const shown = spoken?.match(/\d+%/g)
  if (shown) expect(cells.slice(0, 2)).toEqual(shown)
  expect((await section.boundingBox())?.height).toBe(before?.height)
  await page.getByRole('button', { name: 'Chart' }).click()
  await expect(chart).toBeVisible()
})

test('nothing moves when the curves arrive', async ({ page }) => {
  await page.route('**/api/metrics/**', async (route) => {
    await new Promise((done) => setTimeout(done, 600))
    await route.continue()
  })
  await page.addInitScript(() => {
    Reflect.set(globalThis, 'shift', 0)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        Reflect.set(
          globalThis,
          'shift',
          Number(Reflect.get(globalThis, 'shift')) + Number(Reflect.get(entry, 'value')),
        )
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const path of ['/', `/kubernetes/clusters/${clusterId}`]) {
    await page.goto(path)
    await expect(page.locator('canvas').first()).toBeVisible()
    expect(await page.evaluate(() => Number(Reflect.get(globalThis, 'shift')))).toBeLessThanOrEqual(0.01)
  }
})

test('cluster, node, workload and pod show their use against what they request', async ({ page }) => {
  await page.goto(`/kubernetes/clusters/${clusterId}`)
  const ends = page.locator('[data-series-end]')
  const curves = page.getByRole('region', { name: 'Over time' })
  // Restarts are known from the second measurement on.
  await expect(curves.locator('canvas')).toHaveCount(4, { timeout: 60_000 })
  await expect(curves).toContainText(
    /CPU[\d.]+ of [\d.]+ cores.*Memory[\d.]+ of [\d.]+ GiB.*Restarts a minute\d.*Pods not ready\d/s,
  )
  // One cursor for all of them, and a click leads to what changed around that time.
  await chartOf(page, 'Over time: CPU').hover({ position: { x: 60, y: 40 } })
  await expect(curves.locator('[data-crosshair]')).toHaveCount(4)
  await expect(curves.locator('[data-chart-values]')).toContainText(/used\s*\d+%.*requested\s*\d+%/s)
  await chartOf(page, 'Over time: CPU').click({ position: { x: 60, y: 40 } })
  await expect(page).toHaveURL(/\/changes\?from=.*&to=/)
  const objects = `/kubernetes/clusters/${clusterId}/objects`
  await page.goto(`${objects}/deployments.apps/payments/checkout`)
  await page.getByRole('link', { name: 'Metrics', exact: true }).click()
  await expect(ends).toHaveText([/used.*m$/, /requested500m$/, /used.*MiB$/, /requested512 MiB$/])
  await page.goto(`${objects}/nodes/-/prod-eu-1-workers-1?tab=metrics`)
  await expect(ends.filter({ hasText: 'allocatable' })).toHaveCount(2)
  const reply = await page.request.get(`/api/kubernetes/clusters/${clusterId}/pods?search=checkout`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { pods } = (await reply.json()) as { pods: { name: string }[] }
  await page.goto(`${objects}/pods/payments/${pods[0]?.name}?tab=metrics`)
  await expect(ends.filter({ hasText: 'requested' })).toHaveText([/500m$/, /512 MiB$/])
})

test('an expression is completed as it is typed, and its value has too little history to be usual', async ({
  page,
}) => {
  await page.goto('/analytics/metrics')
  const field = page.getByRole('textbox', { name: 'PromQL expression' })
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option')
  await field.fill('')
  await field.pressSequentially('sum(cpu_us')
  await expect(options.first()).toContainText('cpu_used_millicores')
  await field.press('Enter')
  await field.pressSequentially('{clus')
  await expect(options).toHaveText(['cluster'])
  await field.press('Tab')
  await field.pressSequentially('="')
  await expect(options).toHaveText(['prod-eu-1'])
  expect(await axeFindings(page, { within: '#main' })).toEqual([])
  await field.press('Enter')
  await field.pressSequentially('", node="", pod="", workload="", namespace=""})')
  await field.press('Control+Enter')
  await expect(page).toHaveURL(/expr=sum/)
  await expect(page.locator('[data-series-end]')).toHaveCount(1)
  await expect(page.getByText(/^There is (nothing|too little) to compare with/)).toBeVisible()
})

test('without metrics-server a line says how to install it, and no chart is drawn', async ({ page }) => {
  await page.route('**/api/metrics/**', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ json: { ...(await reply.json()), series: [] } })
  })
  await page.route('**/api/kubernetes/clusters/*/overview', async (route) => {
    const overview = await (await route.fetch()).json()
    overview.capacity.cpuMillicores.used = null
    overview.capacity.memoryBytes.used = null
    await route.fulfill({ json: overview })
  })
  await page.goto(`/kubernetes/clusters/${clusterId}`)
  await expect(page.getByText(/prod-eu-1 does not measure what is used/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Install metrics-server' })).toContainText('kubectl apply -f')
  await expect(page.locator('canvas')).toHaveCount(0)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing in charts and their tables in ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme })
    for (const path of ['/', `/kubernetes/clusters/${clusterId}`, '/kubernetes/clusters']) {
      await page.goto(path)
      await expect(page.locator('canvas, svg[aria-label*="over 24 h"]').first()).toBeVisible()
      if (path === '/')
        await chartOf(page, 'Use of allocatable, by cluster').hover({ position: { x: 200, y: 40 } })
      expect(await axeFindings(page, { within: '#main' })).toEqual([])
      const table = page.getByRole('button', { name: 'Table' })
      if ((await table.count()) === 0) continue
      await table.click()
      expect(await axeFindings(page, { within: '#main' })).toEqual([])
    }
  })
}
