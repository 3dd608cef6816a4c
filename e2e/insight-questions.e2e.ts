import { createClient } from '@bey/client'
import type { Locator, Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { createObject } from '../tools/seed-objects.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'
import { outsideCluster } from './outside-cluster.ts'

test.setTimeout(300_000)
const patience = { timeout: 90_000 }

interface Subject {
  cluster: string
  /** A resource, as the filter of the list finds it, and its name. */
  resource: { query: string; name: string; id: string }
  /** What was changed in the cluster. */
  changed: string
  alert: { id: string; name: string }
}

/** Counts clicks since the dashboard: each question has three. */
function clicksFrom(page: Page) {
  let count = 0
  return {
    async begin() {
      count = 0
      await page.goto('/')
    },
    async click(target: Locator) {
      count += 1
      expect(count).toBeLessThanOrEqual(3)
      await target.click(patience)
    },
  }
}

type Client = ReturnType<typeof createClient>

async function answerFiveQuestions(
  page: Page,
  client: Client,
  { cluster, resource, changed, alert }: Subject,
) {
  const sidebar = page
    .getByRole('complementary', { name: 'Sidebar' })
    .or(page.getByRole('navigation', { name: 'Sidebar' }))
  const { begin, click } = clicksFrom(page)

  await test.step('What do we have?', async () => {
    await begin()
    await click(sidebar.getByRole('button', { name: 'Resources' }))
    await click(sidebar.getByRole('link', { name: 'Resources', exact: true }))
    await expect(page.getByText(/^\d+ resources\./)).toBeVisible(patience)
    const { total, kinds } = await client.call('resources.list', { query: { limit: 1 } })
    expect(total).toBeGreaterThan(0)
    expect(kinds.find(({ kind }) => kind === 'cluster')?.count).toBeGreaterThan(0)
  })

  await test.step('What hangs on it?', async () => {
    await page.getByRole('combobox', { name: 'Query' }).fill(resource.query)
    await page.keyboard.press('Enter')
    await click(page.getByRole('row').getByRole('link', { name: resource.name, exact: true }).first())
    const { text, neededByTotal } = await client.call('relations.of', { query: { id: resource.id } })
    expect(neededByTotal).toBeGreaterThan(0)
    await expect(page.getByText(text).first()).toBeVisible(patience)
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('What changed?', async () => {
    await begin()
    await click(
      page.getByRole('region', { name: 'All services' }).getByRole('link', { name: cluster }).first(),
    )
    await click(page.getByRole('link', { name: 'Changes', exact: true }))
    await expect(page).toHaveURL(/\/changes/)
    await expect(page.getByText(new RegExp(changed)).first()).toBeVisible(patience)
    const { marks } = await client.call('analytics.services', { query: { hours: 168 } })
    expect(marks.length).toBeGreaterThan(0)
  })

  await test.step('What will fill up next?', async () => {
    await begin()
    const capacity = page.getByRole('region', { name: 'Capacity' })
    await expect(capacity).toContainText(/full|history|rate/, patience)
    const { filling } = await client.call('analytics.outlook', {})
    expect(filling).toEqual(expect.any(Array))
  })

  await test.step('Who is told?', async () => {
    await begin()
    await click(sidebar.getByRole('button', { name: 'Analytics' }))
    await click(sidebar.getByRole('link', { name: 'Alerts' }))
    await click(page.getByRole('row').getByRole('link', { name: alert.name }).first())
    const notified = page.getByRole('region', { name: 'Who was notified' })
    await expect(notified).toContainText('In Bey', patience)
    const history = await client.call('alerts.history', { params: { id: alert.id } })
    expect(history.notified.flatMap(({ names }) => names)).toContain('Ada Lovelace')
    expect(await axeFindings(page)).toEqual([])
  })
}

test('the demo answers what there is, what hangs on it, what changed, what fills up and who is told', async ({
  page,
  bey,
}) => {
  const own = await signUpByApi(bey.url, newcomer())
  const { organization } = await own.client.call('demo.create')
  const client = createClient({
    baseUrl: bey.url,
    getToken: () => own.token,
    getOrganizationId: () => organization.id,
  })
  const { clusters } = await client.call('clusters.list', { query: {} })
  const demo = clusters.find(({ title }) => title === 'prod-eu')
  const { alerts } = await client.call('alerts.list', { query: {} })
  const alert = alerts.find(({ name }) => name === 'Pods fail')
  if (!demo || !alert) throw new Error('The demo has neither its cluster nor its alert.')
  await enterWith(page, own.token)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('3 workloads failing', patience)
  const notified = async () =>
    (await client.call('alerts.history', { params: { id: alert.id } })).notified.length
  await expect.poll(notified, patience).toBeGreaterThan(0)
  await answerFiveQuestions(page, client, {
    cluster: 'prod-eu',
    resource: {
      query: 'kind:deployment namespace:catalog health:failing',
      name: 'search',
      id: `deployment:${demo.id}.catalog.search`,
    },
    changed: 'search',
    alert,
  })
})

test('an imported cluster answers the same', async ({ page, bey }) => {
  const outside = await outsideCluster()
  try {
    const session = await signUpByApi(bey.url, newcomer())
    const { client } = session
    await client.call('kubeconfig.import', {
      body: { kubeconfig: outside.kubeconfig, clusters: [{ context: 'prod-ap-1', title: 'partner' }] },
    })
    const { clusters } = await client.call('clusters.list', { query: {} })
    const id = clusters[0]?.id ?? 0
    const cluster = () => client.call('clusters.get', { params: { id } })
    await expect.poll(async () => (await cluster()).status, patience).toBe('RUNNING')
    await createObject.workload(session, id, {
      namespace: 'shop',
      name: 'web',
      replicas: 1,
      image: 'nginx:1.27',
      cpu: '50m',
      memory: '64Mi',
    })
    const alert = await client.call('alerts.create', {
      body: {
        name: 'Pods run',
        expr: 'sum by (cluster) (pods)',
        condition: { kind: 'threshold', direction: 'above', limit: 0 },
        forMs: 0,
        audience: 'everyone',
      },
    })
    const notified = async () =>
      (await client.call('alerts.history', { params: { id: alert.id } })).notified.length
    await expect.poll(notified, { timeout: 120_000 }).toBeGreaterThan(0)
    await enterWith(page, session.token)
    await answerFiveQuestions(page, client, {
      cluster: 'partner',
      resource: { query: 'kind:deployment namespace:shop', name: 'web', id: `deployment:${id}.shop.web` },
      changed: 'web',
      alert,
    })
  } finally {
    await outside.remove()
  }
})
