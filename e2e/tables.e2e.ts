import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

/** A cluster is enough for every list to have a row. */
async function enter(page: Page, url: string): Promise<{ session: BeySession; cluster: string }> {
  const session = await signUpByApi(url, newcomer())
  const body = { title: 'alpha', provider: 'sandbox' as const }
  const { id } = await session.client.call('clusters.create', { body })
  await expect
    .poll(async () => (await session.client.call('clusters.get', { params: { id } })).status)
    .toBe('RUNNING')
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  return { session, cluster: `/kubernetes/clusters/${id}` }
}

test('at 1280 px no table is cut: what does not fit is named below it, and shown on demand', async ({
  page,
  bey,
}) => {
  const { cluster } = await enter(page, bey.url)
  await page.setViewportSize({ width: 1280, height: 800 })
  const paths = [
    '/kubernetes/clusters',
    `${cluster}/nodes`,
    `${cluster}/pods`,
    `${cluster}/services`,
    '/kubernetes/workloads',
    '/workflows',
    '/workflows/runs',
  ]
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    await page.goto(path)
    const table = page.getByRole('main').getByRole('table')
    // oxlint-disable-next-line no-await-in-loop
    await expect(table.getByRole('row').nth(1)).toBeVisible()
    // oxlint-disable-next-line no-await-in-loop
    const [box, room] = await Promise.all([table.boundingBox(), page.getByRole('main').boundingBox()])
    expect(box?.width, path).toBeLessThanOrEqual(room?.width ?? 0)
  }

  await page.goto('/kubernetes/clusters')
  await expect(page.getByText(/^Hidden at this width: .*Region/)).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Region' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Show all columns' }).click()
  await expect(page.getByRole('columnheader', { name: 'Region' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Scroll to more columns' })).toBeVisible()
  await page.getByRole('button', { name: 'Scroll to more columns' }).click()
  await expect(page.getByRole('button', { name: 'Scroll to more columns' })).toHaveCount(0)
})

/** The heights of a page's head while its data are being read, and once they are here. */
async function headHeights(page: Page, path: string) {
  let release = () => {}
  const waiting = new Promise<void>((done) => (release = done))
  await page.route('**/api/**', async (route) => {
    const isRead = /clusters|workflows|runs|errors/.test(route.request().url())
    if (isRead && route.request().method() === 'GET') await waiting
    return route.continue()
  })
  const head = page.getByRole('main').locator('header').first()
  const height = async () => (await head.boundingBox())?.height
  await page.goto(path)
  await expect(head).toBeVisible()
  const before = await height()
  release()
  await expect(
    page.getByRole('table').getByRole('row').nth(1).or(page.locator('[data-message]')),
  ).toBeVisible()
  await page.unroute('**/api/**')
  return { before, after: await height() }
}

test('heads keep their height when data arrive, and messages are aligned with the gutter', async ({
  page,
  bey,
}) => {
  const { cluster } = await enter(page, bey.url)
  const lists = ['/kubernetes/clusters', '/workflows', '/workflows/runs', '/errors']
  // oxlint-disable no-await-in-loop -- one page after the other
  for (const path of [...lists, cluster, `${cluster}/nodes`]) {
    const { before, after } = await headHeights(page, path)
    expect(after, path).toBe(before)
  }
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of [cluster, `${cluster}/nodes`]) {
    const { before, after } = await headHeights(page, path)
    expect(after, `${path} at 390 px`).toBe(before)
  }
  if (size) await page.setViewportSize(size)
  const left = 256 + 24
  for (const path of [
    '/errors?search=nothing',
    '/secrets',
    '/no/such/page',
    '/workflows/00000000-0000-7000-8000-000000000000',
  ]) {
    await page.goto(path)
    const message = page.getByRole('main').locator('[data-message]').first()
    await expect(message, path).toBeVisible()
    const edge = () =>
      message.evaluate(
        (element) =>
          element.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(element).paddingLeft),
      )
    // What is still being read may be replaced while it is measured.
    await expect.poll(edge, path).toBe(left)
  }
  // oxlint-enable no-await-in-loop
})
