import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

const zeros = '00000000-0000-7000-8000-000000000000'
const problem = {
  status: 500,
  contentType: 'application/problem+json',
  body: JSON.stringify({
    type: 'about:blank',
    title: 'Internal error',
    status: 500,
    detail: 'The disk is on fire.',
    code: 'internal',
    requestId: 'req-42',
  }),
}

async function signedIn(page: Page, url: string): Promise<Awaited<ReturnType<typeof signUpByApi>>> {
  const session = await signUpByApi(url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  return session
}

for (const [path, api, text] of [
  ['/kubernetes/clusters', /\/api\/kubernetes\/clusters(\?|$)/, 'Failed to fetch clusters'],
  ['/workflows', /\/api\/v1\/workflows(\?|$)/, 'Failed to fetch workflows'],
  ['/workflows/runs', /\/api\/v1\/workflows\/runs(\?|$)/, 'Failed to fetch workflow runs'],
  [`/workflows/${zeros}`, `**/api/v1/workflows/${zeros}`, 'Failed to fetch workflow details'],
  [
    `/workflows/${zeros}/runs/${zeros}`,
    `**/api/v1/workflows/${zeros}/runs/${zeros}`,
    'Failed to fetch workflow run details',
  ],
] as const) {
  test(`${text}: the page says so with the cause and the request id, and Retry mends it`, async ({
    page,
    bey,
  }) => {
    await signedIn(page, bey.url)
    // A connection that comes up reads anew what failed, and would leave nothing to retry.
    await page.routeWebSocket(/\/ws$/, () => undefined)
    await page.route(api, (route) => route.fulfill(problem))
    await page.goto(path)
    await expect(page.getByText(text).first()).toBeVisible()
    await expect(page.getByText(/The disk is on fire/).first()).toBeVisible()
    await expect(page.getByText(/req-42/).first()).toBeVisible()
    await page.unroute(api)
    await page
      .getByRole('button', { name: /Retry|Try again/ })
      .first()
      .click()
    await expect(page.getByText(/The disk is on fire/)).toHaveCount(0)
  })
}

test('Try again reads the data again that broke a page', async ({ page, bey }) => {
  await signedIn(page, bey.url)
  const runs = /\/api\/v1\/workflows\/runs(\?|$)/
  const malformed = { runs: [{ id: 'r1' }], total: 1, page: 1, limit: 50, total_is_exact: true }
  await page.route(runs, (route) => route.fulfill({ json: malformed }))
  await page.goto('/workflows/runs')
  await expect(page.getByRole('heading', { name: /Something went wrong|Invalid Date Format/ })).toBeVisible()
  await page.unroute(runs)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No runs yet').or(page.getByText('Nothing has run yet'))).toBeVisible()
})

test('a run that is not there says to verify its ids', async ({ page, bey }) => {
  await signedIn(page, bey.url)
  await page.goto(`/workflows/${zeros}/runs/${zeros}`)
  await expect(page.getByText('Workflow run not found.')).toBeVisible()
  await expect(page.getByText('Please verify the workflow ID and run ID are correct.')).toBeVisible()
})

test('a workflow that cannot be changed, started or deleted says which of these failed, and why', async ({
  page,
  bey,
}) => {
  const session = await signedIn(page, bey.url)
  const step = { key: 'add', name: 'Add', type: 'transform', config: { values: { sum: '{{ 1 + 1 }}' } } }
  const { workflow } = await session.client.call('workflows.create', {
    body: { name: 'Nightly sums', steps: [step] },
  })
  await page.route(`**/api/v1/workflows/${workflow.id}/*`, (route) =>
    route.request().method() === 'POST' ? route.fulfill(problem) : route.fallback(),
  )
  await page.route(`**/api/v1/workflows/${workflow.id}`, (route) =>
    route.request().method() === 'DELETE' ? route.fulfill(problem) : route.fallback(),
  )
  await page.goto('/workflows')
  const actions = page.getByRole('button', { name: 'Actions for Nightly sums' })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await expect(page.getByText('Failed to update workflow').first()).toBeVisible()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await dialog.getByRole('textbox').fill('Nightly sums')
  await dialog.getByRole('button', { name: 'Delete workflow' }).click()
  await expect(dialog.getByText(/Failed to delete workflow: .*The disk is on fire/)).toBeVisible()
  await page.goto(`/workflows/${workflow.id}/execute`)
  await page.getByRole('button', { name: 'Execute workflow' }).click()
  await expect(page.getByText('Failed to execute workflow')).toBeVisible()
  await expect(page.getByText(/The disk is on fire/).first()).toBeVisible()
})

test('a refused deletion says Failed to delete cluster and the reason, and the cluster stays', async ({
  page,
  bey,
}) => {
  const session = await signedIn(page, bey.url)
  const { id } = await session.client.call('clusters.create', {
    body: { title: 'staging', provider: 'sandbox' },
  })
  await page.route(`**/api/kubernetes/clusters/${id}`, (route) =>
    route.request().method() === 'DELETE' ? route.fulfill(problem) : route.fallback(),
  )
  await page.goto('/kubernetes/clusters')
  await page.getByRole('button', { name: /Actions for staging/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await dialog.getByRole('textbox').fill('staging')
  await dialog.getByRole('button', { name: 'Delete cluster' }).click()
  await expect(page.getByText(/Failed to delete cluster/).first()).toBeVisible()
  await expect(page.getByText(/The disk is on fire/).first()).toBeVisible()
})
