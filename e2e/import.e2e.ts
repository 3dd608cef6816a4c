import type { BeySession } from '../tools/api-session.ts'
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

/** What somebody does to a cluster past the console. */
async function kube(session: BeySession, id: number, method: string, path: string, body?: object) {
  const reply = await fetch(`${session.baseUrl}/api/kubernetes/clusters/${id}/proxy${path}`, {
    method,
    headers: {
      authorization: `Bearer ${session.token}`,
      'x-organization-id': String(session.organizationId),
      'content-type': method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
  return JSON.parse(text) as { spec: { replicas?: number; template?: object; unschedulable?: boolean } }
}

test('an operator’s day on an imported cluster, by keyboard', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
  const name = 'till'
  const deployments = '/apis/apps/v1/namespaces/default/deployments'
  const template = (image: string, annotations: object) => ({
    metadata: { labels: { app: name }, annotations },
    spec: { containers: [{ name: 'main', image }] },
  })
  /** Focuses what has this role and name, and presses Enter. */
  const enter = async (role: 'button' | 'link' | 'menuitem', text: string | RegExp) => {
    await page.getByRole(role, { name: text }).first().focus()
    await page.keyboard.press('Enter')
  }
  /** Chooses an action of the page, which may stand in its menu. */
  const act = async (action: string, of: string) => {
    await enter('button', `More actions for ${of}`)
    await enter('menuitem', action)
  }

  await page.goto('/kubernetes/clusters/import')
  await page.getByLabel('Choose a file: kubeconfig').setInputFiles({
    name: 'work.kubeconfig',
    mimeType: 'application/yaml',
    buffer: Buffer.from(outside.kubeconfig),
  })
  await expect(page.getByText('3 of 5 contexts can be imported.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Import partner / shop' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('prod-ap-1')
  const { clusters } = await session.client.call('clusters.list', { query: {} })
  const id = clusters[0]?.id ?? 0
  const status = async () => (await session.client.call('clusters.get', { params: { id } })).status
  await expect.poll(status, { timeout: 60_000 }).toBe('RUNNING')

  // A colleague rolls out a revision that crashes.
  await kube(session, id, 'POST', deployments, {
    metadata: { name },
    spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: template('nginx:1.27', {}) },
  })
  const history = { id, resource: 'deployments.apps', namespace: 'default', name }
  const versions = async () =>
    (await session.client.call('kubernetes.history', { params: history })).versions.length
  await expect.poll(versions, { timeout: 60_000 }).toBe(1)
  await kube(session, id, 'PATCH', `${deployments}/${name}`, {
    spec: { template: template('nginx:1.28', { 'sandbox.bey/behavior': 'crash' }) },
  })

  await test.step('the dashboard leads to the incident, which says why', async () => {
    await page.goto('/')
    await expect(page.getByRole('link', { name: new RegExp(name) }).first()).toBeVisible({
      timeout: 60_000,
    })
    await enter('link', new RegExp(name))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    const why = page.getByRole('region', { name: 'Why is it failing?' })
    await expect(why).toContainText('which changed the image from nginx:1.27 to nginx:1.28', {
      timeout: 90_000,
    })
  })

  await test.step('its log is one stream', async () => {
    await enter('link', 'Logs')
    await expect(page.getByRole('log', { name: `Log of ${name}` })).toBeVisible()
    await expect(page.locator('[data-line]').first()).toBeVisible({ timeout: 30_000 })
  })

  await test.step('the YAML is mended through a conflict', async () => {
    await enter('link', 'YAML')
    const editor = page.getByRole('textbox', { name: `YAML of ${name}` })
    await expect(editor).toContainText('replicas: 1')
    await page
      .locator('.cm-line', { hasText: /^\s+replicas: 1/ })
      .first()
      .click()
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('3')
    await page.keyboard.press('Escape')
    await kube(session, id, 'PATCH', `${deployments}/${name}?fieldManager=kubectl-edit`, {
      spec: { replicas: 2 },
    })
    await enter('button', 'Merge')
    await expect(page.getByRole('radiogroup', { name: 'Both of you changed spec.replicas' })).toContainText(
      'kubectl-edit',
    )
    await page.keyboard.press('1')
    await enter('button', /^Review changes/)
    await enter('button', /^Apply/)
    await expect
      .poll(async () => (await kube(session, id, 'GET', `${deployments}/${name}`)).spec.replicas)
      .toBe(3)
  })

  await test.step('the bad revision is rolled back', async () => {
    // The page has to know the generation that was just applied.
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
    await act('Roll back', name)
    const dialog = page.getByRole('dialog', { name: `Roll ${name} back?` })
    await expect(dialog.getByRole('region', { name: /What changes from revision/ })).toContainText(
      'nginx:1.27',
    )
    await enter('button', 'Roll back to 1.27')
    await expect(dialog).toBeHidden()
    await enter('link', 'Overview')
    await expect(page.getByRole('region', { name: 'Why is it failing?' })).toHaveCount(0, {
      timeout: 90_000,
    })
  })

  await test.step('a node is drained, and its run followed to the end', async () => {
    const { nodes } = await session.client.call('kubernetes.nodes', { params: { id } })
    const node = nodes.find(({ roles }) => !roles.includes('control-plane'))?.name ?? ''
    await page.goto(`/kubernetes/clusters/${id}/objects/nodes/-/${node}`)
    await enter('button', 'Drain')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Also evict pods that nothing starts again').focus()
    await page.keyboard.press('Space')
    await dialog.getByLabel('Also evict pods with emptyDir volumes').focus()
    await page.keyboard.press('Space')
    await dialog.getByRole('button', { name: 'Drain' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/workflows\/.*\/runs\//)
    await expect(page.getByText(/completed/i).first()).toBeVisible({ timeout: 90_000 })
    expect((await kube(session, id, 'GET', `/api/v1/nodes/${node}`)).spec.unschedulable).toBe(true)
    await kube(session, id, 'PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: false } })
  })

  await test.step('what is not needed is deleted, and the settings name the connection', async () => {
    await page.goto(`/kubernetes/clusters/${id}/objects/deployments.apps/default/${name}`)
    await act('Delete', name)
    await expect(page.getByRole('dialog')).toContainText(`2 ReplicaSet objects: ${name}-`)
    await enter('button', 'Delete Deployment')
    await expect(page.getByText('This Deployment was deleted')).toBeVisible({ timeout: 60_000 })
    await page.goto(`/kubernetes/clusters/${id}/settings`)
    await expect(page.getByText('token', { exact: true }).first()).toBeVisible()
    await expect(page.getByText('Its credentials, which are kept sealed')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })
})
