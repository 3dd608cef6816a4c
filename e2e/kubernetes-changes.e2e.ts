import type { Page } from '@playwright/test'
import type { BeySession } from '../tools/api-session.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

test.describe.configure({ timeout: 240_000 })

let session: BeySession
let id = 0

/** Asks the cluster directly, not through Bey. */
async function cluster(path: string, method: string, body: object): Promise<void> {
  const reply = await fetch(`${session.baseUrl}/api/kubernetes/clusters/${id}/proxy${path}`, {
    method,
    headers: {
      authorization: `Bearer ${session.token}`,
      'x-organization-id': String(session.organizationId),
      'content-type': method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json',
    },
    body: JSON.stringify(body),
  })
  expect(reply.ok, await reply.text()).toBe(true)
}

const deployments = '/apis/apps/v1/namespaces/default/deployments'
const template = (image: string, annotations: object) => ({
  metadata: { labels: { app: 'web' }, annotations },
  spec: { containers: [{ name: 'main', image }] },
})

test.beforeAll(async ({ bey }) => {
  test.setTimeout(240_000)
  session = await signUpByApi(bey.url, newcomer())
  const { client } = session
  id = (await client.call('clusters.create', { body: { title: 'prod', provider: 'sandbox' } })).id
  await expect
    .poll(async () => (await client.call('clusters.get', { params: { id } })).status, { timeout: 60_000 })
    .toBe('RUNNING')
  await cluster(deployments, 'POST', {
    metadata: { name: 'web' },
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: template('nginx:1.27', {}) },
  })
  const params = { id, resource: 'deployments.apps', namespace: 'default', name: 'web' }
  const versions = async () => (await client.call('kubernetes.history', { params })).versions.length
  await expect.poll(versions, { timeout: 60_000 }).toBe(1)
  await cluster(`${deployments}/web`, 'PATCH', {
    spec: { template: template('nginx:1.28', { 'sandbox.bey/behavior': 'crash' }) },
  })
  await expect.poll(versions, { timeout: 60_000 }).toBe(2)
})

async function open(page: Page, path: string) {
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
  await page.goto(`/kubernetes/clusters/${id}${path}`)
}
const web = '/objects/deployments.apps/default/web'

test('the history of an object says who changed what, and the timeline leads there', async ({ page }) => {
  await open(page, '/changes')
  await page
    .getByRole('list', { name: 'Changes' })
    .getByRole('button', { name: 'Deployment web updated' })
    .first()
    .click()
  const change = page.getByRole('region', { name: 'What changed' })
  await expect(change).toContainText('nginx:1.27')
  await expect(change).toContainText('nginx:1.28')
  await expect(page.getByRole('region', { name: 'What followed' })).toContainText(
    /web began to fail: .* later/,
    { timeout: 90_000 },
  )
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('link', { name: 'Open its history' }).click()
  await expect(change).toContainText('nginx:1.28')
  await expect(page.getByRole('list', { name: 'Versions' }).getByRole('button').first()).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  expect(await axeFindings(page)).toEqual([])
})

test('what a bad revision broke is explained, and mended with one click', async ({ page }) => {
  await open(page, web)
  const why = page.getByRole('region', { name: /^Why is it/ })
  await expect(why).toContainText('which changed the image from nginx:1.27 to nginx:1.28', {
    timeout: 90_000,
  })
  await why.getByRole('button', { name: 'Roll back to revision 1' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back to 1.27' }).click()
  await expect(why).toHaveCount(0, { timeout: 90_000 })
  await expect(page.getByText('nginx:1.27').first()).toBeVisible()
})

test('a change is reverted to what it was before', async ({ page }) => {
  await cluster(`${deployments}/web`, 'PATCH', { spec: { replicas: 3 } })
  await open(page, `${web}?tab=history`)
  const change = page.getByRole('region', { name: 'What changed' })
  await expect(change).toContainText('replicas: 3', { timeout: 60_000 })
  await page.getByRole('button', { name: 'Revert this change' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revert this change' }).click()
  await expect(page.getByText('web was reverted').first()).toBeVisible()
  await expect(change).toContainText('replicas: 1', { timeout: 60_000 })
})
