import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

let session: BeySession

test.beforeAll(async ({ bey }) => {
  session = await signUpByApi(bey.url, newcomer())
  await session.client.call('clusters.create', { body: { title: 'staging', provider: 'sandbox' } })
})

test.beforeEach(async ({ page }) => {
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
})

const reply = (page: Page) => page.getByRole('region', { name: 'Reply', exact: true })

test('an endpoint is found, called as who is logged in, and answers with status, time, headers and request id', async ({
  page,
}) => {
  await page.goto('/test-api')
  await page.getByLabel('Filter endpoints').fill('clusters.read')
  // The list follows what is typed a moment later.
  await expect(page.getByRole('link', { name: 'GET list' })).toHaveCount(1)
  await page.getByRole('link', { name: 'GET list' }).click()
  await expect(page).toHaveURL(/endpoint=clusters.list/)
  await expect(page.getByText('needs clusters.read')).toBeVisible()
  await page.getByLabel('limit').fill('1')
  const command = page.getByRole('region', { name: 'curl command' })
  await expect(command).toContainText(`/api/kubernetes/clusters?limit=1'`)
  await expect(command).toContainText('Authorization: Bearer $BEY_TOKEN')
  await expect(command).not.toContainText(session.token)
  await page.getByRole('button', { name: 'Send GET' }).click()
  await expect(reply(page)).toContainText('200')
  await expect(reply(page).getByRole('region', { name: 'Body of the reply' })).toContainText(
    '"title": "staging"',
  )
  await expect(reply(page).getByRole('button', { name: 'Copy request id' })).toBeVisible()
  await reply(page)
    .getByText(/\d+ headers/)
    .click()
  await expect(reply(page).getByRole('region', { name: 'Headers of the reply' })).toContainText(
    'x-request-id',
  )

  // A problem is said in words, and what was sent before comes back from the history.
  await page.goto('/test-api?endpoint=clusters.get')
  await expect(page.getByText('Fill in id.').first()).toBeVisible()
  await page.getByLabel('id', { exact: true }).fill('999999')
  await page.getByRole('button', { name: 'Send GET' }).click()
  await expect(reply(page).getByRole('alert')).toContainText('Not found')
  await page.getByLabel('id', { exact: true }).fill('1')
  await page
    .getByRole('region', { name: 'Sent during this visit' })
    .getByRole('button', { name: /999999/ })
    .click()
  await expect(page.getByLabel('id', { exact: true })).toHaveValue('999999')
})

test('a call that takes something away is sent only after a confirmation that names it', async ({ page }) => {
  await page.goto('/test-api?endpoint=clusters.delete')
  await page.getByLabel('id', { exact: true }).fill('999999')
  let wasSent = false
  page.on('request', (request) => (wasSent ||= request.method() === 'DELETE'))
  await page.getByRole('button', { name: 'Send DELETE' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('DELETE /api/kubernetes/clusters/999999')
  await expect(dialog).toContainText('in Analytical Engines')
  expect(wasSent).toBe(false)
  await dialog.getByRole('button', { name: 'Send DELETE' }).click()
  await expect(reply(page)).toContainText('404')
})

test('a cluster is debugged with its records, its run and what the socket says of it', async ({ page }) => {
  await page.goto('/debug-clusters')
  await expect(page.getByRole('heading', { name: 'staging' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Cluster record' }).last()).toContainText(
    '"title": "staging"',
  )
  await expect(page.getByRole('region', { name: 'Status record' }).last()).toContainText('"clusterId"')
  await expect(page.getByRole('region', { name: 'Last run' }).last()).toContainText('"steps"')
  const provision = page.getByRole('button', { name: 'Provision', exact: true })
  await expect(provision).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Check Status' }).click()
  await expect(page.getByText('running').first()).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Are you sure you want to delete this cluster?')
  await dialog.getByRole('textbox').fill('staging')
  await dialog.getByRole('button', { name: 'Delete cluster' }).click()
  await expect(page.getByText('staging was deleted.')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('log', { name: 'Live messages' })).toContainText('CLUSTER_PROVISIONING_UPDATE')
})

test('the drawer says what the page shows and does as commands, following what is typed', async ({
  page,
}) => {
  const open = () => page.getByRole('button', { name: 'CLI and API' }).click()
  const drawer = page.getByRole('dialog', { name: 'CLI and API' })
  await page.goto('/kubernetes/clusters?q=prod')
  await open()
  await expect(drawer.getByRole('region', { name: 'List these clusters', exact: true })).toContainText(
    'search=prod',
  )
  await expect(drawer.getByRole('region', { name: 'List these clusters, with bey' })).toContainText(
    /^bey clusters list .*--search=prod/,
  )
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'CLI and API' })).toBeFocused()
  await page.goto('/kubernetes/clusters/create')
  await page.getByLabel('Title').fill('payments')
  await open()
  await expect(drawer.getByRole('region', { name: 'Create this cluster', exact: true })).toContainText(
    '"title":"payments"',
  )
  await page.goto('/workflows/runs')
  await open()
  await expect(drawer.getByRole('region', { name: 'List these runs', exact: true })).toContainText(
    '/api/v1/workflows/runs',
  )
  // What a page does not name itself is taken from what it reads, with its filters.
  await page.goto('/errors?status=resolved')
  await open()
  await expect(drawer.getByRole('region', { name: 'List errors, with bey', exact: true })).toHaveText(
    /^bey errors list --status=resolved/,
  )
  await page.goto('/changelog')
  await open()
  await expect(drawer).toContainText('This page reads nothing from the server that is its own.')
})
