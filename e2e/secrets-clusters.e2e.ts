import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { seedCluster } from '../tools/seed-organization.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

test.setTimeout(180_000)

async function enter(page: Page, session: BeySession, path: string): Promise<void> {
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

test('a secret is kept in a cluster, followed by a rotation, put right after a change there, and removed', async ({
  page,
  request,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const clusterId = await seedCluster(session, 'prod-eu-1')
  const body = { name: 'orders/db', type: 'password', value: 'canary-first' } as const
  const { id } = await session.client.call('secrets.create', { body })
  const path = `${bey.url}/api/kubernetes/clusters/${clusterId}/proxy/api/v1/namespaces/default/secrets/orders-db`
  const headers = { authorization: `Bearer ${session.token}` }
  const password = async () => {
    const reply = await request.get(path, { headers })
    if (!reply.ok()) return reply.status()
    const { data } = (await reply.json()) as { data: Record<string, string> }
    return Buffer.from(data['password'] ?? '', 'base64').toString()
  }

  await enter(page, session, `/secrets/${id}?tab=clusters`)
  await expect(page.getByText('Kept in no cluster')).toBeVisible()
  await page.getByRole('button', { name: 'Keep in a cluster' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name of the Secret')).toHaveValue('orders-db')
  await expect(dialog.getByText('Written as a Secret of the type Opaque.')).toBeVisible()
  expect(await axeFindings(page, { within: '[role=dialog]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Keep it there' }).click()
  const row = page.getByRole('row').filter({ hasText: 'default/orders-db' })
  await expect(row).toContainText('in step')
  expect(await password()).toBe('canary-first')
  expect(await axeFindings(page, { within: '#main' })).toEqual([])

  await page.getByRole('button', { name: 'Rotate now' }).click()
  await expect(dialog.getByRole('region', { name: 'Follow, and restart' })).toContainText('prod-eu-1')
  await expect(dialog).toContainText(
    /Version 1 → 2\. 1 cluster follows, (\d+ pods? restarts?, )?nothing breaks\./,
  )
  await dialog.getByLabel('New value').selectOption('I enter it')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('canary-second')
  await dialog.getByLabel('Reason').fill('Monthly')
  expect(await axeFindings(page, { within: '[role=dialog]' })).toEqual([])
  await dialog.getByRole('button', { name: /^Rotate (now|and restart \d+ pods?)$/ }).click()
  await expect(row.getByRole('cell', { name: '2', exact: true })).toBeVisible()
  expect(await password()).toBe('canary-second')

  const change = await request.patch(path, {
    headers: { ...headers, 'content-type': 'application/merge-patch+json' },
    data: { data: { password: Buffer.from('by hand').toString('base64') } },
  })
  expect(change.status()).toBe(200)
  const act = async (name: string) => {
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
  }
  await act('Look now')
  await expect(row).toContainText('data.password changed')
  await expect(page.getByText('Not as it should be in 1 of 1 place.')).toBeVisible()
  await act('Put right')
  await expect(row).toContainText('in step')
  expect(await password()).toBe('canary-second')

  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await expect(page.getByText(/^1 thing uses it; .*\. If you rotate it, none breaks\.$/)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Secret default/orders-db' })).toContainText(
    'restarts',
  )
  await page.getByRole('link', { name: 'Clusters', exact: true }).last().click()
  await act('Remove')
  await dialog.getByLabel('The Secret in the cluster').selectOption('Delete it; what uses it will fail')
  await dialog.getByRole('button', { name: 'Stop and delete' }).click()
  await expect(page.getByText('Kept in no cluster')).toBeVisible()
  expect(await password()).toBe(404)
})
