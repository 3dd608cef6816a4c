import type { BrowserContext, Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import type { BeyServer } from '../tools/bey-server.ts'
import { expect, newcomer, test } from './bey.ts'

const main = 'packages/server/src/testing/browser-test-server.ts'
// Slow enough that the cluster is still being made while the server is away.
const env = { BEY_SANDBOX_SPEED: '0.1' }

const live = (page: Page) => page.getByRole('banner').getByText('live', { exact: true })
const band = (page: Page) => page.getByRole('region', { name: 'No answer from the server' })
const unread = (page: Page) => page.getByText('Not loaded: the server does not answer')
const textOf = (page: Page) => page.getByRole('main').innerText()

type Shape = { path: string; shows: (page: Page) => Promise<unknown> }

/** Pages of every shape, with what each shows once it is read. */
async function shapesOf(server: BeyServer, context: BrowserContext): Promise<Shape[]> {
  const { token, client } = await signUpByApi(server.url, newcomer())
  await context.addInitScript((value) => localStorage.setItem('bey-token', value), token)
  const cluster = await client.call('clusters.create', {
    body: {
      title: 'prod-eu-1',
      provider: 'sandbox',
      nodeGroups: [{ name: 'n', count: 1, cpuCores: 1, memoryBytes: 1024 ** 3 }],
    },
  })
  const run = `/workflows/${cluster.lastRun?.workflowId}/runs/${cluster.lastRun?.runId}`
  const heading = (name: string) => (page: Page) =>
    expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  const text = (words: string) => (page: Page) =>
    expect(page.getByRole('main').getByText(words).first()).toBeVisible()
  return [
    { path: '/', shows: text('prod-eu-1') },
    { path: '/kubernetes/clusters', shows: text('prod-eu-1') },
    { path: `/kubernetes/clusters/${cluster.id}`, shows: text('prod-eu-1') },
    { path: run, shows: text('prod-eu-1') },
    { path: '/workflows/runs', shows: text('prod-eu-1') },
    { path: '/kubernetes/clusters/create', shows: heading('Create cluster') },
    { path: '/workspaces/settings', shows: text('Analytical Engines') },
  ]
}

function openAll(context: BrowserContext, url: string, shapes: readonly Shape[]): Promise<Page[]> {
  return Promise.all(
    shapes.map(async ({ path, shows }) => {
      const page = await context.newPage()
      await page.goto(`${url}${path}`)
      await expect(live(page)).toBeVisible()
      await shows(page)
      await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))
      return page
    }),
  )
}

async function expectBack(pages: readonly Page[], shapes: readonly Shape[]): Promise<void> {
  for (const [index, page] of pages.entries()) {
    await expect(live(page), shapes[index]?.path).toBeVisible({ timeout: 10_000 })
    await expect(band(page)).toHaveCount(0)
    await expect(unread(page)).toBeHidden()
    await shapes[index]?.shows(page)
    await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0)
    expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)
  }
}

/** Goes to a list that this page has never read, as a person does: without a reload. */
async function goToUnread(page: Page): Promise<void> {
  await page.evaluate(() => {
    history.pushState(null, '', '/workflows')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
}

test('a server that is stopped is said on every page, nothing counts on, and all is right once it goes on', async ({
  context,
}) => {
  test.setTimeout(240_000)
  const server = await startBey({ main, env })
  const shapes = await shapesOf(server, context)
  const pages = await openAll(context, server.url, shapes)
  const [first, clusters, , run] = pages as [Page, Page, Page, Page, ...Page[]]
  await first.clock.install()
  await first.reload()
  await expect(live(first)).toBeVisible()
  await first.evaluate(() => Object.assign(globalThis, { isSamePage: true }))

  const stoppedAt = Date.now()
  process.kill(server.pid, 'SIGSTOP')
  try {
    for (const page of pages) {
      await expect(band(page)).toBeVisible({ timeout: 60_000 })
      const said = /since (\d\d):(\d\d):(\d\d)\. What you see may have changed/.exec(
        await band(page).innerText(),
      )
      const since = new Date(stoppedAt)
      since.setHours(Number(said?.[1]), Number(said?.[2]), Number(said?.[3]), 999)
      // The last answer: a silent server is asked every few seconds, and never answers after it was stopped.
      expect(since.getTime()).toBeGreaterThan(stoppedAt - 15_000)
      expect(since.getTime()).toBeLessThan(stoppedAt + 2_000)
    }
    const before = await textOf(run)
    await run.evaluate(() => new Promise((done) => setTimeout(done, 2_500)))
    expect(await textOf(run)).toBe(before)

    await goToUnread(clusters)
    await expect(unread(clusters)).toBeVisible()
    await expect(first.getByText('Check that the server runs')).toHaveCount(0)
    await first.clock.fastForward(60_000)
    await expect(first.getByText('Check that the server runs')).toBeVisible()
    await clusters.goBack()
  } finally {
    process.kill(server.pid, 'SIGCONT')
  }
  await expectBack(pages, shapes)
  expect(await textOf(run)).not.toBe('')
  await server.stop()
  removeData(server)
})

test('a server that is killed is said on every page, and each is right within seconds of its return', async ({
  context,
}) => {
  test.setTimeout(240_000)
  const server = await startBey({ main, env })
  const shapes = await shapesOf(server, context)
  const pages = await openAll(context, server.url, shapes)
  const clusters = pages[1] as Page
  await server.kill()
  for (const page of pages) await expect(band(page)).toBeVisible({ timeout: 30_000 })
  await goToUnread(clusters)
  await band(clusters).getByRole('button', { name: 'Retry' }).click()
  await expect(band(clusters)).toBeVisible()
  const again = await startBey({
    main,
    env,
    dataDir: server.dataDir,
    port: Number(new URL(server.url).port),
    tlsPort: server.tlsPort,
  })
  await clusters.goBack()
  await expectBack(pages, shapes)
  await again.stop()
  removeData(again)
})
