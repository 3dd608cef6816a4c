import { signUpByApi } from '../tools/api-session.ts'
import { seedCluster } from '../tools/seed-organization.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

test.describe.configure({ timeout: 240_000 })

test('objects are found, opened, revealed, related and seen to go, by keyboard and on a phone', async ({
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
  const at = '/api/v1/namespaces/default'
  await kube('POST', `${at}/configmaps`, { metadata: { name: 'settings' }, data: { greeting: 'hello' } })
  await kube('POST', `${at}/secrets`, { metadata: { name: 'login' }, stringData: { word: 'open sesame' } })
  const labels = { app: 'web' }
  await kube('POST', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web', labels },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'app', image: 'nginx', envFrom: [{ configMapRef: { name: 'settings' } }] }],
        },
      },
    },
  })

  // From all clusters to the deployment, its drawer first, by keyboard.
  await page.goto('/kubernetes/workloads?label=app%3Dweb')
  const row = page.getByRole('row', { name: /web Deployment/ })
  await expect(row).toContainText('practice')
  await row.getByRole('link').focus()
  await page.keyboard.press('Space')
  const drawer = page.getByRole('complementary', { name: 'web' })
  await expect(drawer.getByRole('heading', { name: 'Containers' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('web')
  await expect(page.getByText('rolling: at most 25% more, 25% fewer')).toBeVisible()
  await expect(page.getByRole('link', { name: 'settings', exact: true })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page
    .getByRole('table', { name: 'Pods' })
    .getByRole('link', { name: /^web-\w+-\w+$/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Placement' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Rollout' })).toBeVisible()

  await page.goto(`/kubernetes/clusters/${id}/objects/secrets/default/login`)
  await expect(page.getByText('the audit log records that you did')).toBeVisible()
  await page.getByRole('button', { name: 'Reveal word' }).click()
  await expect(page.getByRole('region', { name: 'Value of word' })).toHaveText('open sesame')
  await page.getByRole('button', { name: 'Hide word' }).click()
  await expect(page.getByText('open sesame')).toHaveCount(0)

  // Its history begins a little after the cluster.
  const object = { id, resource: 'configmaps', namespace: 'default', name: 'settings' }
  const history = async () => (await session.client.call('kubernetes.history', { params: object })).versions
  await expect.poll(history, { timeout: 60_000 }).toHaveLength(1)

  // What is deleted while it is open stays, marked.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/kubernetes/clusters/${id}/objects/configmaps/default/settings`)
  await expect(page.getByRole('region', { name: 'Value of greeting' })).toHaveText('hello')
  await kube('DELETE', `${at}/configmaps/settings`)
  await expect(page.getByText('This ConfigMap was deleted')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Value of greeting' })).toHaveText('hello')

  await test.step('what is gone has its history at its address, and is created again from there', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect(async () => {
      await page.goto(`/kubernetes/clusters/${id}/objects/configmaps/default/settings`)
      await expect(page.getByText(/^Deleted .* ago/)).toBeVisible({ timeout: 2_000 })
    }).toPass({ timeout: 30_000 })
    await expect(page.getByRole('region', { name: 'What changed' })).toContainText('greeting: hello')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Create it again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create it again' }).click()
    await expect(page.getByRole('region', { name: 'Value of greeting' })).toHaveText('hello')
  })

  await test.step('the breadcrumbs lead to the cluster, the namespace and the list', async () => {
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expect(crumbs.getByRole('listitem')).toHaveText([
      'Kubernetes',
      'Clusters',
      'practice',
      'default',
      'Config maps',
      'settings',
    ])
    await crumbs.getByRole('link', { name: 'Config maps' }).click()
    await expect(page).toHaveURL(/\/config\?type=configmaps&namespace=default/)
    await expect(page.getByRole('link', { name: 'settings', exact: true })).toBeVisible()
  })

  await test.step('the palette finds objects of clusters, shows how they are and opens them', async () => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('web deploy')
    const option = page.getByRole('option', { name: /^web Deployment · default · practice/ })
    await expect(option).toBeVisible()
    await option.hover()
    await expect(page.getByRole('group', { name: 'web' })).toContainText('Namespace')
    expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('web')
  })

  await test.step('its name, description and labels are settings, with its quotas and what goes with it', async () => {
    await kube('POST', `${at}/resourcequotas`, { metadata: { name: 'team' }, spec: { hard: { pods: '20' } } })
    await page.goto(`/kubernetes/clusters/${id}/settings`)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Practice!')
    await expect(page.getByText('Use 1 to 63 lower-case letters, digits and hyphens')).toBeVisible()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('practice-2')
    await page.getByLabel('Description').fill('For trying things out')
    await page.getByLabel('Labels').fill('team=web')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('practice-2')
    await expect(page.getByRole('row', { name: /team/ })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: /\d+ pods/ })).toBeVisible()
    await page.getByRole('button', { name: 'Delete cluster' }).click()
    await expect(page.getByRole('dialog')).toContainText('Are you sure you want to delete this cluster?')
    await page.keyboard.press('Escape')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await axeFindings(page)).toEqual([])
    }
    await page.goto(`/kubernetes/clusters/${id}`)
    await expect(page.getByText('For trying things out')).toBeVisible()
  })

  await test.step('admins see what the caches cost, for whom they are kept, and the quotas', async () => {
    await page.goto('/kubernetes/admin')
    const caches = page.getByRole('table', { name: 'Watch caches' })
    await expect(caches.getByRole('row', { name: /pods/ }).first()).toContainText('health')
    await expect(page.getByRole('table', { name: 'Connections' })).toContainText('practice-2')
    await expect(page.getByText('Imported clusters')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })
})
