import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { seedCluster } from '../tools/seed-organization.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'
import { startFlakyProxy } from './flaky-proxy.ts'

let session: BeySession
let clusterId: number

async function kube(path: string, body: object): Promise<void> {
  const reply = await fetch(`${session.baseUrl}/api/kubernetes/clusters/${clusterId}/proxy${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`)
}

const script =
  'i=0; while true; do i=$((i+1)); echo "{\\"level\\":\\"info\\",\\"msg\\":\\"order priced\\",\\"order\\":\\"8$i\\"}"; ' +
  'if [ $((i%7)) -eq 0 ]; then echo "{\\"level\\":\\"error\\",\\"msg\\":\\"price table missing\\"}"; fi; sleep 0.5; done'

test.beforeAll(async ({ bey }) => {
  test.setTimeout(120_000)
  session = await signUpByApi(bey.url, newcomer())
  clusterId = await seedCluster(session, 'prod-eu-1')
  const labels = { app: 'checkout' }
  const port = { containerPort: 80 }
  await kube('/apis/apps/v1/namespaces/default/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'checkout' },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'app', image: 'busybox', command: ['sh', '-c', script] }] },
      },
    },
  })
  await kube('/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { containers: [{ name: 'app', image: 'nginx:1.29', ports: [port] }] },
  })
  await kube('/api/v1/namespaces/default/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 80 }] },
  })
})

test.beforeEach(async ({ page }) => {
  await page.addInitScript((token) => {
    // A page without an origin has no storage, which is what one of the tests is about.
    if (window.origin !== 'null') localStorage.setItem('bey-token', token)
  }, session.token)
})

const objectUrl = (resource: string, name: string, tab: string) =>
  `/kubernetes/clusters/${clusterId}/objects/${resource}/default/${name}?tab=${tab}`

const counted = async (page: Page) => {
  const text = await page.locator('footer').first().innerText()
  return Number(/([\d,]+) lines/.exec(text)?.[1]?.replaceAll(',', '') ?? 0)
}

test('the log of a workload is read as one stream, searched, opened, paused and resumed', async ({
  page,
}) => {
  await page.goto(objectUrl('deployments.apps', 'checkout', 'logs'))
  const log = page.getByRole('log', { name: 'Log of checkout' })
  await expect(log.getByText('order priced').first()).toBeVisible({ timeout: 30_000 })
  // Keys act once the shortcuts have come, in the same idle moment as the connection.
  await expect(page.getByRole('banner').getByText('live')).toBeVisible()
  await expect(page.getByRole('group', { name: 'Pods' }).getByRole('button')).toHaveCount(2)

  await test.step('search counts, jumps and pauses', async () => {
    await expect(log.getByText('price table missing').first()).toBeAttached({ timeout: 20_000 })
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: 'Search in the log' })).toBeFocused()
    await page.keyboard.type('price table')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^1 of \d+$/)).toBeVisible()
    await expect(log.locator('mark.bg-accent')).toHaveText('price table')
    await expect(page.getByText(/Paused at/)).toBeVisible()
  })

  await test.step('while paused lines wait, and none is lost', async () => {
    await expect(page.getByText(/[1-9]\d* lines are waiting, none is lost/)).toBeVisible()
    const before = await counted(page)
    await log.focus()
    await page.keyboard.press('Space')
    await expect(page.getByText(/Paused at/)).toHaveCount(0)
    await expect.poll(() => counted(page)).toBeGreaterThan(before)
  })

  await test.step('a JSON line opens in place, and a field of it becomes a filter', async () => {
    await page.getByRole('button', { name: 'Pause' }).click()
    await log.locator('[data-line]').filter({ hasText: 'price table missing' }).last().click()
    const fields = page.getByRole('region', { name: 'Fields of the line' })
    await expect(fields.getByText('level')).toBeVisible()
    await fields.getByRole('button', { name: 'Hide lines with this msg' }).click()
    await expect(log.getByText('price table missing')).toHaveCount(0)
    await page.getByRole('button', { name: /Remove the filter msg/ }).click()
  })

  await test.step('severity narrows it, and the address says so', async () => {
    await page.getByLabel('Severity').selectOption('error')
    await expect(page).toHaveURL(/status=error/)
    await expect(log.getByText('order priced')).toHaveCount(0)
    await page.getByLabel('Severity').selectOption('')
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFindings(page)).toEqual([])
  }
})

test('a stream that is cut again and again goes on, with no line twice and none missing', async ({
  page,
}) => {
  const proxy = await startFlakyProxy(session.baseUrl)
  await page.goto(proxy.url + objectUrl('deployments.apps', 'checkout', 'logs'))
  const log = page.getByRole('log', { name: 'Log of checkout' })
  await expect(log.getByText('order priced').first()).toBeVisible({ timeout: 30_000 })
  for (let cut = 0; cut < 3; cut += 1) {
    const before = await counted(page)
    expect(proxy.dropSockets()).toBeGreaterThan(0)
    await expect(page.getByText(/reconnected/)).toBeVisible({ timeout: 20_000 })
    await expect.poll(() => counted(page)).toBeGreaterThan(before + 4)
  }
  await expect(log.locator('[data-rule="disconnected"]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Pause' }).click()
  const rows = await log.locator('[data-line]').allInnerTexts()
  const orders = new Map<string, number[]>()
  for (const row of rows) {
    const [, pod = '', order] = /^(\w+)[^]*order=8(\d+)/.exec(row) ?? []
    if (order) orders.set(pod, [...(orders.get(pod) ?? []), Number(order)])
  }
  expect(orders.size).toBe(2)
  for (const numbers of orders.values()) {
    const [first = 0] = numbers
    expect(numbers).toEqual(numbers.map((_, index) => first + index))
  }
  await proxy.close()
})

test('a terminal runs commands in a container, says how it ended and connects again', async ({ page }) => {
  await page.goto(objectUrl('pods', 'web', 'terminal'))
  const status = page.getByText(/Connected to (bash|sh)\./)
  await expect(status).toBeVisible({ timeout: 30_000 })
  const rows = page.locator('.xterm-rows')
  await page.locator('.xterm').click()
  await page.keyboard.type('echo hel""lo\n')
  await expect(rows).toContainText('hello')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFindings(page, { within: 'main' })).toEqual([])
  }
  await page.keyboard.type('exit 3\n')
  await expect(page.getByText(/Ended at .* with exit code 3\./)).toBeVisible()
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await expect(status).toBeVisible()
})

test('a viewer reads why there is no terminal', async ({ page }) => {
  await page.route('**/api/auth/me', async (route) => {
    const response = await route.fetch()
    const text = (await response.text()).replaceAll('"OWNER"', '"VIEWER"')
    await route.fulfill({ response, body: text })
  })
  await page.goto(objectUrl('pods', 'web', 'terminal'))
  const reason = page
    .getByRole('paragraph')
    .filter({ hasText: 'Needs the role MEMBER or higher; yours is VIEWER' })
  await expect(reason).toBeVisible()
})

test('a page of a workload opens in a tab, and a hostile one reads nothing of Bey', async ({
  page,
  context,
}) => {
  await page.goto(objectUrl('services', 'web', 'ports'))
  await expect(
    page.getByText('kubectl --context bey-prod-eu-1 port-forward -n default svc/web 8080:80'),
  ).toBeVisible()
  expect(await axeFindings(page, { within: 'main' })).toEqual([])
  const opened = context.waitForEvent('page')
  await page.getByRole('button', { name: 'Open in a tab' }).click()
  const tab = await opened
  await expect(tab.locator('body')).toContainText('nginx')
  // What the script of a workload could try.
  const outcome = await tab.evaluate(async () => {
    const tries: Record<string, () => unknown> = {
      storage: () => localStorage.getItem('bey-token'),
      cookie: () => document.cookie,
      api: async () => (await fetch('/api/auth/me', { credentials: 'include' })).text(),
      page: async () => (await fetch(location.href, { credentials: 'include' })).text(),
      opener: () => (window.opener as Window).document.title,
      popup: () => window.open('/')?.localStorage.length,
    }
    const result: Record<string, string> = {}
    for (const [name, attempt] of Object.entries(tries)) {
      try {
        result[name] = `read ${String(await attempt())}`
      } catch (error) {
        result[name] = error instanceof Error || error instanceof DOMException ? error.name : 'failed'
      }
    }
    return result
  })
  expect(outcome).toEqual({
    storage: 'SecurityError',
    cookie: 'SecurityError',
    api: 'TypeError',
    page: 'TypeError',
    opener: 'TypeError',
    popup: 'SecurityError',
  })
})
