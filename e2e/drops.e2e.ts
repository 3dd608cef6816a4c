import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import type { Cluster } from '@bey/contract'
import { clusterLabel, isRunOver } from '@bey/contract'
import { logInByApi, signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { expect, newcomer, test } from './bey.ts'
import { randomFrom, startFlakyProxy } from './flaky-proxy.ts'

const live = (page: Page) => page.getByRole('banner').getByText('live', { exact: true })

/** Rows of the table as words, whatever their order. */
async function rowsOn(page: Page): Promise<string[]> {
  const rows = await page.getByRole('main').getByRole('row').allInnerTexts()
  return rows.slice(1).map((row) => row.replaceAll(/\s+/g, ' ').trim())
}

/** Clusters come, are given up half-way and go, for as long as `isOver` does not say so. */
async function keepWriting(
  { client }: BeySession,
  random: () => number,
  isOver: () => boolean,
): Promise<number> {
  let writes = 0
  for (let number = 1; !isOver() && number <= 8; number += 1) {
    const created = await client.call('clusters.create', {
      body: {
        title: `drop-${number}`,
        provider: 'sandbox',
        nodeGroups: [{ name: 'n', count: 1, cpuCores: 1, memoryBytes: 1024 ** 3 }],
      },
    })
    writes += 1
    const { clusters } = await client.call('clusters.list', { query: {} })
    const [done] = clusters.filter(({ status }) => status === 'RUNNING' || status === 'ERROR')
    if (random() < 0.4 && created.lastRun) {
      const { workflowId: id, runId } = created.lastRun
      // A run that was over a moment before is not cancelled: as good a write as any.
      await client.call('workflows.cancel', { params: { id, runId } }).catch(() => undefined)
      writes += 1
    }
    if (done && random() < 0.6) {
      await client.call('clusters.delete', { params: { id: done.id } }).catch(() => undefined)
      writes += 1
    }
    await pause(random() * 300)
  }
  return writes
}

/** A cluster that runs shows its health, and `running` while that is good. */
function shownStatus({ status, health, reachability }: Cluster): string {
  if (status !== 'RUNNING') return clusterLabel(status)
  if (health.state === 'healthy') return 'running'
  return reachability.state === 'unreachable' ? 'no answer' : health.state
}

test('after more than 50 dropped sockets under writes, every row on screen equals the API', async ({
  context,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const proxy = await startFlakyProxy(bey.url)
  await context.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  const pages = [await context.newPage(), await context.newPage()] as const
  const [clusters, runs] = pages
  await Promise.all([
    clusters.goto(`${proxy.url}/kubernetes/clusters`),
    runs.goto(`${proxy.url}/workflows/runs`),
  ])
  for (const page of pages) await expect(live(page)).toBeVisible()

  const random = randomFrom(20_261_121)
  let isOver = false
  const writing = keepWriting(session, random, () => isOver)
  let drops = 0
  while (drops < 52) {
    // At times before the socket has authenticated, at times in the middle of its events.
    await pause(random() * 250)
    drops += proxy.dropSockets()
    // As the browser does when the network is back: nobody waits for the next attempt.
    while (proxy.openSockets() < pages.length)
      await Promise.all(pages.map((page) => page.evaluate(() => window.dispatchEvent(new Event('online')))))
  }
  isOver = true
  expect(await writing).toBeGreaterThan(8)

  const allRuns = async () => (await session.client.call('workflows.allRuns', { query: {} })).runs
  await expect
    .poll(async () => (await allRuns()).filter(({ status }) => !isRunOver(status)), { timeout: 30_000 })
    .toEqual([])
  for (const page of pages) await expect(live(page)).toBeVisible()
  // In the order of the page: what fails first.
  const expectedClusters = async () =>
    (await session.client.call('clusters.list', { query: { sort: 'health', order: 'asc' } })).clusters.map(
      (cluster) => [cluster.title, shownStatus(cluster)],
    )
  const expectedRuns = async () =>
    (await allRuns()).map((run) => [run.workflowName, run.subject?.name ?? '', run.status])
  for (const [page, wanted] of [
    [clusters, expectedClusters],
    [runs, expectedRuns],
  ] as const) {
    // The API is asked each time: the health of a cluster that has just come up still changes by itself.
    await expect(async () => {
      const expected = await wanted()
      const rows = await rowsOn(page)
      expect(rows).toHaveLength(expected.length)
      for (const [index, words] of expected.entries())
        for (const word of words) expect(rows[index]).toContain(word)
    }).toPass({ timeout: 20_000 })
  }
  await proxy.close()
})

test('a server that is killed and started again is said at once, and followed again without a reload', async ({
  context,
}) => {
  test.setTimeout(120_000)
  const first = await startBey({ main: 'packages/server/src/testing/browser-test-server.ts' })
  const person = newcomer()
  const session = await signUpByApi(first.url, person)
  await context.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  const page = await context.newPage()
  await page.goto(`${first.url}/kubernetes/clusters/create`)
  await expect(live(page)).toBeVisible()
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
  await page.getByLabel('Title').fill('prod-eu-1')

  await first.kill()
  await expect(page.getByRole('banner').getByText(/reconnecting/)).toBeVisible({ timeout: 35_000 })
  await expect(page.getByRole('banner').getByText(/as of \d\d:\d\d:\d\d/)).toBeVisible()
  const create = page.getByRole('button', { name: 'Create cluster' })
  await expect(create).toHaveAttribute('aria-disabled', 'true')
  await expect(create).toHaveAccessibleDescription(/The connection to the server is lost/)

  await context.setOffline(true)
  await expect(page.getByRole('banner').getByText('disconnected')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('banner').getByText(/reconnecting/)).toBeVisible()

  const { port } = new URL(first.url)
  const second = await startBey({
    main: 'packages/server/src/testing/browser-test-server.ts',
    dataDir: first.dataDir,
    port: Number(port),
    tlsPort: first.tlsPort,
  })
  await expect(live(page)).toBeVisible({ timeout: 35_000 })
  await expect(page.getByLabel('Title')).toHaveValue('prod-eu-1')
  await create.click()
  await expect(page).toHaveURL(/\/kubernetes\/clusters\/\d+/)
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  const again = await logInByApi(second.url, person)
  expect((await again.client.call('clusters.list', { query: {} })).total).toBe(1)
  await second.stop()
  removeData(second)
})

test('parts that cannot be loaded leave the page with what was typed, and come when the server is back', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  let asked = 0
  // Annotations, shortcuts, palette, layers and the live socket, which the first idle moment loads.
  const parts = /\/assets\/idle-[^/]*\.js$/
  await page.route(parts, (route) => {
    asked += 1
    return route.abort()
  })
  await page.goto(`${bey.url}/kubernetes/clusters/create`)
  await page.getByLabel('Title').fill('prod-eu-1')
  await expect.poll(() => asked).toBeGreaterThan(0)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('heading', { name: 'Create cluster', level: 1 })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)

  await page.unroute(parts)
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(live(page)).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('prod-eu-1')
})
