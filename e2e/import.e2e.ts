import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'
import { outsideCluster } from './outside-cluster.ts'

test.describe.configure({ timeout: 240_000 })

let outside: Awaited<ReturnType<typeof outsideCluster>>

test.beforeAll(async () => {
  outside = await outsideCluster()
})
test.afterAll(() => outside.remove())

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`contexts are tested on drop, what works is imported, tested again and disconnected, at ${width} px`, async ({
    page,
    bey,
  }) => {
    const session = await signUpByApi(bey.url, newcomer())
    await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
    await page.setViewportSize({ width, height })
    await page.goto('/kubernetes/clusters')
    await page.getByRole('link', { name: 'Import clusters' }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import clusters')
    expect(await axeFindings(page)).toEqual([])

    await page.getByRole('button', { name: 'Paste instead' }).click()
    await page.getByLabel('Kubeconfig', { exact: true }).last().fill('apiVersion: v1\n\tkind: Config')
    await page.getByRole('button', { name: 'Read and test' }).click()
    await expect(page.getByText(/Line 2: .*tab/)).toBeVisible()
    await page.getByRole('button', { name: 'Use a file instead' }).click()

    const file = {
      name: 'work.kubeconfig',
      mimeType: 'application/yaml',
      buffer: Buffer.from(outside.kubeconfig),
    }
    await page.getByLabel('Choose a file: kubeconfig').setInputFiles(file)
    await expect(page.getByText('3 of 5 contexts can be imported.')).toBeVisible()
    await expect(page.getByText('1 fails its test, 1 cannot work from a server.')).toBeVisible()

    const contexts = page.getByRole('list', { name: 'Contexts' }).locator('> li')
    await expect(contexts.first()).toContainText('prod-us-2')
    await expect(contexts.first()).toContainText('The server’s certificate is for another name.')
    await expect(page.getByRole('checkbox', { name: 'Import prod-us-2' })).toBeDisabled()
    await expect(page.getByRole('checkbox', { name: 'Import data-eu' })).toBeDisabled()
    await expect(page.getByRole('checkbox', { name: 'Import edge-ber-1' })).not.toBeChecked()
    await expect(page.getByRole('checkbox', { name: 'Import prod-ap-1' })).toBeChecked()
    expect(await axeFindings(page)).toEqual([])
    if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/import-list-${width}.png`, fullPage: true })

    await page.getByRole('button', { name: 'Open data-eu' }).click()
    await expect(page.getByRole('region', { name: 'Commands' })).toContainText('create serviceaccount bey')
    await page.getByRole('button', { name: 'Open prod-ap-1' }).click()
    await page.getByLabel('Title').fill('partner-shop')
    await expect(page.getByText('Another of these clusters has this title.').first()).toBeVisible()
    await page.getByLabel('Title').first().fill(`prod-${width}`)
    await page.getByRole('checkbox', { name: 'Import edge-ber-1' }).check()
    await page.getByRole('checkbox', { name: 'Import partner / shop' }).uncheck()
    if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/import-open-${width}.png`, fullPage: true })
    await page.keyboard.press('ControlOrMeta+Enter')

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Clusters')
    const row = page.getByRole('row', { name: new RegExp(`prod-${width}`) })
    await expect(row).toContainText(/healthy|running|degraded|starting/i, { timeout: 30_000 })
    await page.getByRole('link', { name: 'edge-ber-1' }).click()
    await page
      .getByRole('navigation', { name: 'Parts of the cluster' })
      .getByRole('link', { name: 'Settings' })
      .click()
    await page.getByRole('link', { name: 'Connection' }).click()
    await expect(page.getByText('The certificate of this cluster is not checked')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    if (process.env['SHOTS']) await page.screenshot({ path: `/tmp/import-tab-${width}.png`, fullPage: true })
    await page.getByRole('button', { name: 'Test again' }).click()
    await expect(page.getByRole('list', { name: 'Checks' })).toContainText('not checked')

    await page.getByRole('button', { name: 'Actions for edge-ber-1' }).click()
    await page.getByRole('menuitem', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to disconnect this cluster?' })
    await expect(dialog).toContainText('Nothing is changed in the cluster.')
    await dialog.getByLabel(/Type edge-ber-1/).fill('edge-ber-1')
    await dialog.getByRole('button', { name: 'Disconnect cluster' }).click()
    await expect(
      page.getByText('The credentials were deleted. Nothing was changed in the cluster'),
    ).toBeVisible({
      timeout: 30_000,
    })
    expect(await outside.answers()).toBe(true)
  })
}

test('an account of one namespace gets a usable console, and a reason for the rest', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
  await session.client.call('kubeconfig.import', {
    body: { kubeconfig: outside.kubeconfig, clusters: [{ context: 'partner / shop', title: 'shop' }] },
  })
  const { clusters } = await session.client.call('clusters.list', { query: {} })
  const id = clusters[0]?.id ?? 0
  const status = async () => (await session.client.call('clusters.get', { params: { id } })).status
  await expect.poll(status, { timeout: 60_000 }).toBe('RUNNING')
  const proxy = `${bey.url}/api/kubernetes/clusters/${id}/proxy`
  const made = await fetch(`${proxy}/apis/apps/v1/namespaces/shop/deployments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      metadata: { name: 'web' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] },
        },
      },
    }),
  })
  expect(made.status).toBe(201)
  const at = (rest: string) => `/kubernetes/clusters/${id}${rest}`
  const main = page.getByRole('main')
  /** Opens a page, waits for what it shows, and checks that nothing on it failed. */
  const shows = async (path: string, text: string | RegExp) => {
    await page.goto(path)
    await expect(main.getByText(text).first()).toBeVisible()
    await expect(page.getByText(/^Failed to/)).toHaveCount(0)
  }

  await test.step('what may be read is shown on every tab', async () => {
    await shows(at('/'), 'The account that Bey uses in this cluster may not read nodes.')
    await expect(main.getByText(/\d+ of \d+ ready/)).toHaveCount(0)
    expect(await axeFindings(page)).toEqual([])
    await shows(at('/workloads'), 'nginx:1.27')
    await shows(at('/pods'), /^web-/)
    await shows(at('/services'), 'No services')
    await shows(at('/storage'), 'No persistent volume claims')
    await shows(at('/config'), 'kube-root-ca.crt')
    await shows(at('/events'), 'Scheduled')
    await shows(at('/changes'), /deployment web/i)
    await shows(at('/access'), 'Live tokens')
    await shows(at('/connection'), 'system:serviceaccount:shop:team')
    await shows(at('/settings'), 'Credentials')
    // Only a sandbox can be broken on purpose.
    await expect(main.getByRole('link', { name: 'Settings', exact: true })).toBeVisible()
    await expect(main.getByRole('link', { name: 'Faults' })).toHaveCount(0)
  })

  await test.step('the rest says that there is no right, and who can grant it', async () => {
    await shows(at('/nodes'), 'No right to read nodes')
    await expect(main.getByText(/Whoever administers the cluster can grant the right/)).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await shows(at('/custom'), 'No right to read custom resource definitions')
    await shows(at('/objects/deployments.apps/default/web'), 'No right to read the object')
    await shows(at('/objects/nodes/-/outside-worker-1'), 'No right to read the object')
  })

  await test.step('pages over all clusters show its part', async () => {
    await shows('/', /1 cluster of unknown health: shop/)
    await shows('/kubernetes/workloads', '1 workload in 1 cluster')
    await shows('/kubernetes/services', '0 services in 1 cluster')
    await shows('/storage', /0 claims in 1 cluster/)
  })

  await test.step('its workload is changed, and a pod entered', async () => {
    await shows(at('/objects/deployments.apps/shop/web'), 'Available: yes')
    await page.getByRole('button', { name: /^Scale/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Pods').fill('2')
    await dialog.getByRole('button', { name: /^Scale/ }).click()
    await expect(dialog).toBeHidden()
    await shows(at('/workloads'), '2/2')
    await page.goto(at('/pods'))
    await main.getByRole('link', { name: /^web-/ }).first().click()
    await page.getByRole('link', { name: 'Logs' }).click()
    await expect(page.locator('[data-line]').first()).toBeVisible()
    await page.getByRole('link', { name: 'Terminal' }).click()
    await expect(page.getByText(/Connected to (bash|sh)\./)).toBeVisible()
  })
})
