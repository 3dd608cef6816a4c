import { signUpByApi } from '../tools/api-session.ts'
import { seedCluster } from '../tools/seed-organization.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

test.describe.configure({ timeout: 240_000 })

test('a node says how it is and what runs on it, a namespace what is in it, what it may take and what changed', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
  const id = await seedCluster(session, 'practice')
  const kube = async (method: string, path: string, body?: object) => {
    const reply = await fetch(`${bey.url}/api/kubernetes/clusters/${id}/proxy${path}`, {
      method,
      headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect(reply.status, await reply.text()).toBeLessThan(300)
  }
  const name = 'a-deployment-whose-name-is-rather-long'
  const labels = { app: name }
  await kube('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
  await kube('POST', '/api/v1/namespaces/shop/resourcequotas', {
    metadata: { name: 'team' },
    spec: { hard: { pods: '20', 'requests.cpu': '2' } },
  })
  await kube('POST', '/api/v1/namespaces/shop/configmaps', {
    metadata: { name: 'settings' },
    data: { a: '1' },
  })
  await kube('POST', '/apis/apps/v1/namespaces/shop/deployments', {
    metadata: { name, labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            { name: 'app', image: 'nginx', resources: { requests: { cpu: '250m', memory: '128Mi' } } },
          ],
        },
      },
    },
  })
  const pods = async () =>
    (await session.client.call('kubernetes.pods', { params: { id }, query: { namespace: 'shop' } })).pods
  await expect.poll(async () => (await pods()).filter(({ status }) => status === 'Running').length).toBe(2)
  const node = (await pods())[0]?.node ?? ''

  await test.step('the page of a node leads to its pods, with what they use of what they request', async () => {
    await page.goto(`/kubernetes/clusters/${id}/objects/nodes/-/${node}`)
    await expect(page.getByText(/^Ready.*; \d+ pods/)).toBeVisible()
    await expect(page.getByRole('img', { name: new RegExp(`^Pods of ${node}: Ready`) })).toBeVisible()
    const row = page
      .getByRole('table', { name: 'Pods' })
      .getByRole('row', { name: new RegExp(name) })
      .first()
    await expect(row).toContainText(/of 250m/)
    await expect(row).toContainText(/of 128 MiB/)
    await expect(page.getByRole('meter', { name: 'Pods' })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'Ready: yes' })).toContainText(
      'Disk pressure: no',
    )
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindings(page)).toEqual([])
    }
    await row.getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  })

  await test.step('the events of the pods stand with those of their node', async () => {
    await page.goto(`/kubernetes/clusters/${id}/objects/nodes/-/${node}?tab=events`)
    const started = page.getByRole('row', { name: /Started/ })
    await expect(started.getByRole('img', { name: /^Started: \d+ reports? in the last hour/ })).toBeVisible()
    await started.getByRole('button', { name: 'Started' }).click()
    await expect(page.getByRole('link', { name: new RegExp(`^${name}`) }).first()).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })

  const shop = `/kubernetes/clusters/${id}/objects/namespaces/-/shop`
  await test.step('a namespace says how its workloads are, what it may take and what changed', async () => {
    await page.goto(shop)
    await expect(page.getByText('The workload is healthy')).toBeVisible()
    await expect(page.getByRole('meter', { name: 'Pods' })).toHaveAttribute('aria-valuetext', '2 of 20')
    await expect(page.getByRole('meter', { name: 'CPU requests' })).toHaveAttribute(
      'aria-valuetext',
      '500m of 2 cores',
    )
    const changes = page.getByRole('region', { name: 'Last changes' })
    await expect(changes.getByText(new RegExp(`deployments? ${name}`, 'i')).first()).toBeVisible({
      timeout: 60_000,
    })
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('its tabs are the lists of the cluster, of this namespace alone', async () => {
    const tabs = page.getByRole('navigation', { name: 'Parts of the Namespace' })
    await expect(tabs.getByRole('link')).toHaveText([
      'Overview',
      'Workloads',
      'Pods',
      'Config',
      'Events',
      'Quota',
      'Changes',
    ])
    await tabs.getByRole('link', { name: 'Workloads' }).click()
    await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()
    await expect(page.getByRole('row', { name: /coredns/ })).toHaveCount(0)
    await expect(page.getByLabel('Namespace', { exact: true })).toHaveCount(0)
    await tabs.getByRole('link', { name: 'Pods' }).click()
    await expect(page.getByRole('row', { name: new RegExp(`${name}-`) })).toHaveCount(2)
    await page.getByLabel('Filter pods').fill('nothing-like-it')
    await expect(page.getByRole('row', { name: new RegExp(name) })).toHaveCount(0)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page.getByRole('row', { name: new RegExp(`${name}-`) })).toHaveCount(2)
    await tabs.getByRole('link', { name: 'Config' }).click()
    await expect(page.getByRole('link', { name: 'settings', exact: true })).toBeVisible()
    await tabs.getByRole('link', { name: 'Quota' }).click()
    await expect(page.getByRole('link', { name: 'team' })).toBeVisible()
    await tabs.getByRole('link', { name: 'Changes' }).click()
    await expect(page.getByText(new RegExp(`deployments? ${name}`, 'i')).first()).toBeVisible()
  })

  await test.step('what had a tab before is still at its address', async () => {
    for (const [tab, label] of [
      ['yaml', 'YAML'],
      ['history', 'History'],
      ['activity', 'Activity'],
    ] as const) {
      await page.goto(`${shop}?tab=${tab}`)
      await expect(
        page.getByRole('navigation', { name: 'Parts of the Namespace' }).getByRole('link', { name: label }),
      ).toHaveAttribute('aria-current', 'page')
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(shop)
    await expect(page.getByText('The workload is healthy')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })
})
