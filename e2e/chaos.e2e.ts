import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { removeData, startBey } from '../tools/bey-server.ts'
import { expect, newcomer, test } from './bey.ts'

const routes = [
  '/',
  '/kubernetes/clusters',
  '/kubernetes/clusters/create',
  '/workflows',
  '/workflows/runs',
  '/analytics/dashboard',
  '/secrets',
  '/databases',
  '/networking',
  '/resources',
  '/errors',
  '/changelog',
  '/profile',
  '/workspaces/create',
  '/workspaces/members',
  '/workspaces/settings',
  '/workspaces/settings/appearance',
  '/test-api',
]

async function untilItWorks<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    const result = await attempt().then(
      (value) => ({ value }),
      () => undefined,
    )
    if (result) return result.value
  }
}

/** What a person sees: nothing but words, and for each failure one place that offers to try again. */
async function faults(page: Page, route: string): Promise<string[]> {
  const main = page.getByRole('main')
  await main.getByRole('heading', { level: 1 }).or(main.getByRole('alert')).first().waitFor()
  await expect(page.getByLabel('Loading...')).toHaveCount(0, { timeout: 20_000 })
  const found: string[] = []
  const text = (await main.innerText()).trim()
  if (text.length < 3) found.push(`${route}: blank`)
  if (text.includes('Something went wrong')) found.push(`${route}: the error page`)
  // Read in one moment: what failed may be mended by the next event.
  const alerts = await main
    .getByRole('alert')
    .filter({ hasText: /^Failed/ })
    .evaluateAll((all) =>
      all.map((alert) => ({
        text: alert.textContent ?? '',
        retries: [...alert.querySelectorAll('button')].filter((each) => each.textContent?.trim() === 'Retry')
          .length,
      })),
    )
  const said = alerts.map(({ text }) => text)
  if (new Set(said).size !== said.length) found.push(`${route}: the same failure twice: ${said.join(' | ')}`)
  for (const { text, retries } of alerts) if (retries !== 1) found.push(`${route}: no Retry: ${text}`)
  return found
}

test('with requests failing at random no route is blank, and each failure is in one place with Retry', async ({
  context,
}) => {
  test.setTimeout(300_000)
  const server = await startBey({
    main: 'packages/server/src/testing/browser-test-server.ts',
    env: { NODE_ENV: 'development', CHAOS: '10', CHAOS_SEED: '7' },
  })
  const session = await untilItWorks(() => signUpByApi(server.url, newcomer()))
  await context.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  const page = await context.newPage()
  const found: string[] = []
  let failures = 0
  page.on('pageerror', (error) => found.push(`uncaught: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 400) failures += 1
  })
  for (const route of routes) {
    await page.goto(`${server.url}${route}`)
    found.push(...(await faults(page, route)))
  }
  expect(found).toEqual([])
  expect(failures).toBeGreaterThan(0)
  await server.stop()
  removeData(server)
})

test('a run that cannot be cancelled says so with the reason where it was asked', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  const cluster = await session.client.call('clusters.create', {
    body: { title: 'staging', provider: 'sandbox' },
  })
  if (!cluster.lastRun) throw new Error('The cluster has no run.')
  const { workflowId, runId } = cluster.lastRun
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  const path = `/api/v1/workflows/${workflowId}/runs/${runId}`
  // However quick the machine is, the run is still going on.
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    const detail: { run: object } = await response.json()
    await route.fulfill({ response, json: { ...detail, run: { ...detail.run, status: 'running' } } })
  })
  await page.route(`**${path}/cancel`, (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        status: 500,
        title: 'Internal error',
        detail: 'The disk is on fire.',
        code: 'internal',
      }),
    }),
  )
  await page.goto(`/workflows/${workflowId}/runs/${runId}`)
  await page.getByRole('button', { name: 'Cancel run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this run?' })
  await dialog.getByRole('button', { name: 'Cancel run' }).click()
  await expect(dialog.getByText('Failed to cancel workflow run: The disk is on fire.')).toBeVisible()
})
