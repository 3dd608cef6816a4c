import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { createObject } from '../tools/seed-objects.ts'
import { expect, newcomer, test } from './bey.ts'
import { outsideCluster } from './outside-cluster.ts'

test.describe.configure({ timeout: 300_000 })

/** Pictures of pages at three widths, where `SHOTS` names a folder for them. */
async function shoot(pages: Readonly<Record<string, Page>>): Promise<void> {
  const folder = process.env['SHOTS']
  if (folder === undefined) return
  for (const [name, page] of Object.entries(pages)) {
    for (const [width, height] of [
      [1440, 900],
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.screenshot({ path: `${folder}/${name}-${width}.png` })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  }
}

test('a cluster that stands still is said to on every open page, all are right again once it goes on, and an emptied one says so', async ({
  page,
  context,
  bey,
}) => {
  const outside = await outsideCluster()
  try {
    const session = await signUpByApi(bey.url, newcomer())
    const { client } = session
    await context.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
    await client.call('kubeconfig.import', {
      body: { kubeconfig: outside.kubeconfig, clusters: [{ context: 'prod-ap-1', title: 'prod' }] },
    })
    const { clusters } = await client.call('clusters.list', { query: {} })
    const id = clusters[0]?.id ?? 0
    const cluster = () => client.call('clusters.get', { params: { id } })
    await expect.poll(async () => (await cluster()).status, { timeout: 60_000 }).toBe('RUNNING')
    await createObject.workload(session, id, {
      namespace: 'shop',
      name: 'web',
      replicas: 1,
      image: 'nginx:1.27',
      cpu: '50m',
      memory: '64Mi',
    })

    const at = (path: string) => `/kubernetes/clusters/${id}${path}`
    const opened = async (path: string) => {
      const other = await context.newPage()
      await other.goto(path)
      return other
    }
    const object = page
    await object.goto(at('/objects/deployments.apps/shop/web'))
    const list = await opened(at('/pods?namespace=shop'))
    const everywhere = await opened('/kubernetes/workloads')
    const dashboard = await opened('/')
    const heading = dashboard.getByRole('heading', { level: 1 })
    const restart = object.getByRole('button', { name: /^Restart/ })
    const isLive = async () => {
      const slow = { timeout: 60_000 }
      const badge = object.getByRole('main').getByText('healthy', { exact: true }).first()
      await expect(badge).toBeVisible(slow)
      await expect(restart).toBeEnabled(slow)
      for (const each of [object, list])
        await expect(each.getByRole('banner').getByText('live', { exact: true })).toBeVisible(slow)
      for (const each of [list, everywhere])
        await expect(each.getByRole('main').getByText('live', { exact: true })).toBeVisible(slow)
      await expect(heading).toHaveText(/Healthy/, slow)
      expect(await client.call('kubernetes.pods', { params: { id } })).toMatchObject({
        isLive: true,
        noAnswerSince: null,
      })
    }
    const says = (each: Page, text: RegExp) =>
      expect(each.getByRole('main').getByText(text).first()).toBeVisible({ timeout: 30_000 })

    await test.step('every page is live', async () => {
      await isLive()
      await expect(list.getByRole('link', { name: /^web-/ })).toHaveCount(1)
    })

    await test.step('while it stands still, every page and the API say since when', async () => {
      outside.stand()
      await says(object, /No answer from prod since/)
      await says(list, /No answer from prod since/)
      await says(everywhere, /No answer from prod since/)
      await expect(heading).toHaveText(/1 cluster does not answer: prod/, { timeout: 30_000 })
      await says(dashboard, /no answer since/)
      expect(await cluster()).toMatchObject({
        reachability: { state: 'unreachable' },
        health: { state: 'unknown' },
      })
      const pods = await client.call('kubernetes.pods', { params: { id } })
      expect(pods).toMatchObject({ isLive: false, noAnswerSince: expect.any(String) })
      await expect(
        client.call('kubernetes.object', {
          params: { id, resource: 'deployments.apps', namespace: 'shop', name: 'web' },
        }),
      ).rejects.toMatchObject({ code: 'cluster_unreachable' })
    })

    await test.step('the open object claims nothing and offers nothing', async () => {
      await expect(object.getByRole('main').getByText('healthy', { exact: true })).toHaveCount(0)
      await expect(object.getByText('live', { exact: true })).toHaveCount(0)
      await expect(
        object
          .getByRole('main')
          .getByText(/^no answer since/)
          .first(),
      ).toBeVisible()
      await expect(restart).toBeDisabled()
      await shoot({ object, list, everywhere, dashboard })
    })

    await test.step('a page that is opened now says at once why it is empty', async () => {
      const late = await opened(at('/objects/deployments.apps/shop/web'))
      await expect(late.getByText(/The cluster "prod" does not answer/)).toBeVisible({ timeout: 15_000 })
      await late.close()
    })

    await test.step('all are right again once it goes on', async () => {
      outside.goOn()
      await isLive()
      await expect(object.getByText(/No answer from prod/)).toHaveCount(0)
    })

    await test.step('an emptied one shows nothing of before, and says that it was replaced', async () => {
      await outside.empty()
      await expect(list.getByRole('link', { name: /^web-/ })).toHaveCount(0, { timeout: 60_000 })
      await list.goto(at(''))
      await says(list, /This cluster was restored or replaced at/)
      await shoot({ replaced: list })
      await expect(list.getByText('Restored or replaced', { exact: true })).toBeVisible()
    })
  } finally {
    outside.goOn()
    await outside.remove()
  }
})
