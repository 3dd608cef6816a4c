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
    .getByRole('table', { name: 'Owned objects' })
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

  // What is deleted while it is open stays, marked.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/kubernetes/clusters/${id}/objects/configmaps/default/settings`)
  await expect(page.getByRole('region', { name: 'Value of greeting' })).toHaveText('hello')
  await kube('DELETE', `${at}/configmaps/settings`)
  await expect(page.getByText('This ConfigMap was deleted')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Value of greeting' })).toHaveText('hello')
})
