import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'
import { kubeCalls } from './ingress-objects.ts'

const patience = { timeout: 60_000 }

const container = {
  name: 'web',
  image: 'nginx:1.27',
  ports: [{ containerPort: 80 }, { containerPort: 8080 }],
}

/** Production with a workload and its service, and staging with a pod that calls it. */
async function putWorkloads(kube: ReturnType<typeof kubeCalls>): Promise<void> {
  for (const name of ['production', 'staging'])
    await kube('POST', '/api/v1/namespaces', { metadata: { name } })
  await kube('POST', '/apis/apps/v1/namespaces/production/deployments', {
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
    },
  })
  await kube('POST', '/api/v1/namespaces/production/services', {
    metadata: { name: 'web' },
    spec: {
      selector: { app: 'web' },
      ports: [
        { name: 'http', port: 80 },
        { name: 'admin', port: 8080 },
      ],
    },
  })
  await kube('POST', '/api/v1/namespaces/staging/pods', {
    metadata: { name: 'shop', labels: { app: 'shop' } },
    spec: { containers: [container] },
  })
}

/** Tries a port of the service by `nc` in the terminal of the pod in staging, until the packet fares as expected. */
async function expectNc(page: Page, port: number, outcome: 'open' | 'timed out'): Promise<void> {
  await expect(async () => {
    await page.locator('.xterm').click()
    await page.keyboard.type(`clear; nc -zv -w 1 web.production ${port}\n`)
    await expect(page.locator('.xterm-rows')).toContainText(outcome, { timeout: 5_000 })
  }).toPass(patience)
}

test('production is isolated from staging, one port is opened, packets prove it, and a drifted policy is put right', async ({
  page,
  bey,
}) => {
  test.setTimeout(300_000)
  const session = await signUpByApi(bey.url, newcomer())
  const { id } = await session.client.call('clusters.create', {
    body: { title: 'prod-eu', provider: 'sandbox' },
  })
  await expect
    .poll(async () => (await session.client.call('clusters.get', { params: { id } })).status, patience)
    .toBe('RUNNING')
  const kube = kubeCalls(session, id)
  await putWorkloads(kube)
  await enterWith(page, session.token)
  const terminal = `/kubernetes/clusters/${id}/objects/pods/staging/shop?tab=terminal`
  const connected = page.getByText(/Connected to (bash|sh)\./)

  await test.step('staging reaches production on both ports, and the packets are observed', async () => {
    await page.goto(terminal)
    await expect(connected).toBeVisible(patience)
    await expectNc(page, 80, 'open')
    await expectNc(page, 8080, 'open')
  })

  await test.step('before the network is created, its plan names the flows that would end', async () => {
    await page.goto('/networking/create')
    await page.getByLabel('Name', { exact: true }).fill('production')
    await page.getByLabel('Cluster or database').selectOption(`cluster ${id}`)
    await page.getByLabel('Namespace', { exact: true }).fill('production')
    await page.getByRole('button', { name: 'Attach' }).click()
    await page.getByRole('checkbox', { name: /^Isolate it/ }).check()
    await expect(page.getByText('2 flows that exist today would end.')).toBeVisible(patience)
    const flow = page.getByRole('listitem').filter({ hasText: 'staging/shop → production/web, TCP 8080' })
    await expect(flow).toContainText('1 connection')
    await expect(page.getByText('production/bey-production')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: /^Create network/ }).click()
    await expect(page.getByRole('heading', { name: 'production', level: 1 })).toBeVisible()
    await expect(page.getByText('isolated', { exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: /^Policies/ })).toContainText('1', patience)
  })

  await test.step('a security group opens one port, and its plan says so', async () => {
    await page.getByRole('link', { name: 'Security groups' }).click()
    await page.getByRole('link', { name: 'Create group' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('web')
    await page.getByRole('button', { name: 'Add target' }).click()
    await page.getByRole('button', { name: 'Add rule for entering' }).click()
    await page.getByLabel('Protocol of rule 1').selectOption('tcp')
    await page.getByLabel('Ports of rule 1').fill('80')
    await page.getByLabel('Peer of rule 1').selectOption('namespace')
    await page.getByLabel('Namespace of rule 1').fill('staging')
    await expect(page.getByText('No flow would end. 1 flow would begin.')).toBeVisible(patience)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Create security group' }).click()
    await expect(page.getByText('TCP 80').first()).toBeVisible()
  })

  await test.step('the tester says which port is open, and packets of the sandbox fare alike', async () => {
    const ask = (port: number) =>
      page.goto(
        `/networking/reachability?cluster=${id}&from=workload:staging/shop&to=service:production/web&port=${port}`,
      )
    await ask(80)
    await expect(page.getByRole('heading', { name: /^Yes\./ })).toBeVisible(patience)
    await expect(page.getByText(/^It was tried \d+ times? and always got through, last at /)).toBeVisible()
    await ask(8080)
    await expect(page.getByRole('heading', { name: /^No\. / })).toBeVisible(patience)
    // A rule that is added to a policy of Bey's in the cluster would be drift.
    await expect(page.getByRole('link', { name: 'security group of production' })).toBeVisible()
    await expect(page.getByText('kubectl -n staging exec shop --')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.goto(terminal)
    await expect(connected).toBeVisible(patience)
    await expectNc(page, 80, 'open')
    await expectNc(page, 8080, 'timed out')
  })

  await test.step('the page of the workload and the flow map say the same', async () => {
    await page.goto(`/kubernetes/clusters/${id}/objects/deployments.apps/production/web?tab=network`)
    const ways = page.getByRole('list', { name: 'What reaches it' })
    await expect(ways.getByRole('listitem').filter({ hasText: 'shop staging' })).toContainText(
      'TCP 80',
      patience,
    )
    await expect(page.getByText(/^[1-9] connections?, the last/)).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.goto(`/networking/flows?cluster=${id}&view=table&state=used`)
    const way = page.getByRole('table', { name: 'Flows' }).getByRole('row').filter({ hasText: 'staging' })
    await expect(way.filter({ hasText: 'production' }).first()).toContainText('used', patience)
    await expect(
      page.getByText(/^[1-9] connections? (was|were) refused on ways that let others/),
    ).toBeVisible()
    for (const colorScheme of ['dark', 'light'] as const)
      for (const width of [390, 1280]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        expect(await axeFindings(page)).toEqual([])
      }
  })

  await test.step('a policy that is edited past Bey is found, shown with its difference, and put right', async () => {
    const path = '/apis/networking.k8s.io/v1/namespaces/production/networkpolicies/bey-production-web'
    const policy = (await kube('GET', path)) as { spec: object }
    await kube('PUT', path, { ...policy, spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{}] } })
    await page.goto('/')
    const attention = page.getByRole('region', { name: 'Needs attention' })
    const item = attention.getByRole('listitem').filter({ hasText: 'production' })
    await expect(item).toBeVisible({ timeout: 90_000 })
    await item.getByRole('link').click()
    await page.getByRole('link', { name: 'Show what differs' }).click()
    await expect(page.getByText(/changed past Bey/)).toBeVisible()
    await expect(page.getByText('1 flow that exists today would end.')).toBeVisible(patience)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Put right' }).first().click()
    await expect(page.getByText('as defined')).toHaveCount(2, patience)
    await page.goto(terminal)
    await expect(connected).toBeVisible(patience)
    await expectNc(page, 8080, 'timed out')
  })

  await test.step('a pg_hba.conf that is edited by hand is found, shown with its line, and put right', async () => {
    const { id: databaseId } = await session.client.call('databases.create', {
      body: { name: 'orders', provider: 'embedded' },
    })
    await expect
      .poll(
        async () => (await session.client.call('databases.get', { params: { id: databaseId } })).status,
        patience,
      )
      .toBe('available')
    const network = await session.client.call('networks.create', {
      body: {
        name: 'data',
        cidr: '10.77.0.0/16',
        isIsolated: true,
        attachments: [{ kind: 'database', databaseId }],
      },
    })
    await page.goto(`/networking/${network.id}`)
    await expect(page.getByText('active', { exact: true })).toBeVisible(patience)
    const file = join(bey.dataDir, 'databases', databaseId, 'postgres', 'pg_hba.conf')
    const written = readFileSync(file, 'utf8')
    expect(written).toContain('10.77.0.0/16')
    appendFileSync(file, 'host all all 0.0.0.0/0 trust\n')
    await expect(page.getByText('The pg_hba.conf of orders differs from its definition in Bey.')).toBeVisible(
      patience,
    )
    await expect(page.getByRole('button', { name: 'Put right' })).toBeVisible()
    await page.getByRole('link', { name: 'Show what differs' }).click()
    await expect(page.getByText('host all all 0.0.0.0/0 trust')).toBeVisible()
    for (const colorScheme of ['dark', 'light'] as const)
      for (const width of [390, 1280]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        expect(await axeFindings(page)).toEqual([])
      }
    await page.getByRole('button', { name: 'Put right' }).last().click()
    await expect(page.getByText('active', { exact: true })).toBeVisible(patience)
    expect(readFileSync(file, 'utf8')).toBe(written)
  })
})
