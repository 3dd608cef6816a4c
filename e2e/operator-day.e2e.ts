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

/** Changes the cluster directly, as somebody does who does not use Bey. */
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

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const) {
  test(`an operator’s day on an imported cluster, by keyboard, at ${width} px`, async ({ page, bey }) => {
    const session = await signUpByApi(bey.url, newcomer())
    await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
    await page.setViewportSize({ width, height })
    const name = `till-${width}`
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

    /** One part of the day; nothing on its last screen may be wider than the screen. */
    const part = async (title: string, act: () => Promise<void>) =>
      test.step(title, async () => {
        await act()
        const shot = process.env['SHOTS'] && `${process.env['SHOTS']}/${width} ${title.slice(0, 30)}.png`
        if (shot) await page.screenshot({ path: shot })
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      })

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

    await part('the dashboard leads to the incident, which says why', async () => {
      await page.goto('/')
      const row = new RegExp(`^failing ${name}`)
      await expect(page.getByRole('link', { name: row })).toBeVisible({ timeout: 60_000 })
      await enter('link', row)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
      const why = page.getByRole('region', { name: /^Why is it/ })
      await expect(why).toContainText('which changed the image from nginx:1.27 to nginx:1.28', {
        timeout: 90_000,
      })
    })

    await part('its log is one stream', async () => {
      await enter('link', 'Logs')
      await expect(page.getByRole('log', { name: `Log of ${name}` })).toBeVisible()
      await expect(page.locator('[data-line]').first()).toBeVisible({ timeout: 30_000 })
    })

    await part('the YAML is mended through a conflict', async () => {
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

    await part('the bad revision is rolled back', async () => {
      if (width > 768) await enter('button', /^Roll back$/)
      else await act('Roll back', name)
      const dialog = page.getByRole('dialog', { name: `Roll ${name} back?` })
      await expect(dialog.getByRole('region', { name: /What changes from revision/ })).toContainText(
        'nginx:1.27',
      )
      await enter('button', 'Roll back to 1.27')
      await expect(dialog).toBeHidden()
      await enter('link', 'Overview')
      await expect(page.getByRole('region', { name: /^Why is it/ })).toHaveCount(0, {
        timeout: 90_000,
      })
    })

    await part('a node is drained, and its run followed to the end', async () => {
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

    await part('what is not needed is deleted, and the settings name the connection', async () => {
      await page.goto(`/kubernetes/clusters/${id}/objects/deployments.apps/default/${name}`)
      await act('Delete', name)
      await expect(page.getByRole('dialog')).toContainText(`2 ReplicaSet objects: ${name}-`)
      await enter('button', 'Delete Deployment')
      await expect(page.getByText('This Deployment was deleted')).toBeVisible({ timeout: 60_000 })
      await page.goto(`/kubernetes/clusters/${id}/settings`)
      await expect(page.getByText('token', { exact: true }).first()).toBeVisible()
      await expect(page.getByText('Its stored credentials')).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
    })
  })
}
