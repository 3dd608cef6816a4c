import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { embeddedDatabaseUrl } from '../tools/seed-metrics.ts'
import { withRunRows } from '../tools/seed-runs.ts'
import type { RunRows } from '../tools/seed-runs.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

let session: BeySession

test.beforeAll(async ({ bey }) => {
  session = await signUpByApi(bey.url, newcomer())
})

test.beforeEach(async ({ page }) => {
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
})

const tab = (page: Page, name: string | RegExp) =>
  page.getByRole('navigation', { name: 'Parts of the run' }).getByRole('link', { name })

const write = <T>(dataDir: string, into: (rows: RunRows) => Promise<T>) =>
  withRunRows(embeddedDatabaseUrl(dataDir), session.organizationId, into)

/** Nothing for axe in light and dark, and nothing wider than a phone. */
async function expectSound(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFindings(page, { within: '#main' })).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  const isWider = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(await isWider()).toBe(false)
  expect(await axeFindings(page, { within: '#main' })).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

test('a run of the product is followed in graph, timeline, steps and log with the keyboard alone', async ({
  page,
}) => {
  await session.client.call('clusters.create', { body: { title: 'prod-eu-1', provider: 'sandbox' } })
  await page.goto('/workflows/runs')
  await page
    .getByRole('row', { name: /prod-eu-1/ })
    .getByRole('link')
    .click()
  await expect(page.getByRole('heading', { name: 'Provision cluster · prod-eu-1' })).toBeVisible()
  const graph = page.getByRole('region', { name: 'Graph of the steps' })
  await expect(graph.getByRole('button', { name: /Allocate machines/ })).toBeVisible()
  await expect(page.getByText(/^Completed in/)).toBeVisible()
  await expect(page.getByText('5 of 5 steps done')).toBeVisible()
  await expectSound(page)

  await page.keyboard.press('2')
  const timeline = page.getByRole('region', { name: 'Steps along time' })
  await expect(timeline.getByRole('button')).toHaveCount(5)
  // The first press chooses the first step, the second the next.
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(page.getByRole('region', { name: /^Step Start control plane/ })).toBeVisible()
  await expect(timeline.getByRole('button', { pressed: true })).toContainText('Start control plane')
  await expectSound(page)

  await page.keyboard.press('3')
  const table = page.getByRole('table', { name: 'Steps' })
  await expect(table.getByRole('row')).toHaveCount(6)
  await page.keyboard.press('/')
  await page.keyboard.type('join')
  await expect(table.getByRole('row')).toHaveCount(2)
  await expectSound(page)
  await page.getByLabel('Filter steps').blur()

  await page.keyboard.press('4')
  await expect(page).toHaveURL(/tab=log/)
  await page.getByLabel('Step', { exact: true }).selectOption('')
  const log = page.getByRole('log', { name: 'Log of the run' })
  await expect(log).toContainText('machine')
  await page.getByLabel('Search the log').fill('no such words')
  await expect(log).toContainText('No line matches.')
  await page.getByRole('button', { name: 'Clear filter' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the log' }).click()
  expect((await download).suggestedFilename()).toMatch(/^run-.*\.log$/)
  await expectSound(page)

  await tab(page, 'Input and output').click()
  await expect(page.getByRole('region', { name: 'Input of the run' })).toBeVisible()
  await expectSound(page)
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveAttribute('aria-disabled', 'true')
})

test('a long run opens at what failed, with what is done folded and every step in the strip above', async ({
  page,
  bey,
}) => {
  const href = await write(bey.dataDir, async (rows) => {
    const workflowId = await rows.workflow('Deploy to every region')
    const steps = Array.from({ length: 62 }, (_, index) => ({
      key: `step_${index}`,
      name: `Roll out to a region with a long name ${index}`,
      needs: index === 0 ? [] : [`step_${index - 1}`],
      status: index === 40 ? 'failed' : index > 40 ? 'skipped' : 'succeeded',
      ...(index === 40 && { error: 'No answer within 30 s' }),
      ...(index <= 40 && { began: 4_000 - index * 10, ended: 3_992 - index * 10 }),
    }))
    const run = { workflowId, status: 'failed', began: 4_000, ended: 3_500, steps }
    return `/workflows/${workflowId}/runs/${await rows.run(run)}`
  })
  await page.goto(`${href}?tab=steps`)
  const table = page.getByRole('table', { name: 'Steps' })
  const failed = 'Roll out to a region with a long name 40'
  await expect(table.getByRole('row')).toHaveCount(4)
  await expect(page.getByRole('region', { name: `Step ${failed}` })).toContainText('No answer within 30 s')
  await expectSound(page)
  await table.getByRole('button', { name: '40 steps done' }).click()
  await expect(table.getByRole('link', { name: 'Roll out to a region with a long name 0' })).toBeVisible()
  await table.getByRole('button', { name: '40 steps done' }).click()
  await expect(table.getByRole('row')).toHaveCount(4)

  await page.locator('[data-minimap] [data-step="step_12"]').click()
  await expect(
    page.getByRole('region', { name: 'Step Roll out to a region with a long name 12' }),
  ).toBeVisible()
  await expect(table.getByRole('button', { name: '12 steps done' })).toBeVisible()
  await tab(page, 'Timeline').click()
  const timeline = page.getByRole('region', { name: 'Steps along time' })
  await expect(timeline.getByRole('button', { pressed: true })).toContainText('name 12')
  await expect(timeline.getByRole('button', { name: new RegExp(failed) })).toBeVisible()
  await expectSound(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectSound(page)
})

test('a run of 2,000 steps and 100,000 lines is usable, and its log from end to end', async ({
  page,
  bey,
}) => {
  const href = await write(bey.dataDir, async (rows) => {
    const workflowId = await rows.workflow('Copy volumes')
    const steps = Array.from({ length: 2_000 }, (_, index) => ({
      key: `copy_${index}`,
      name: `Copy volume ${index}`,
      needs: index < 20 ? [] : [`copy_${index - 20}`],
      status: index % 500 === 7 ? 'failed' : 'succeeded',
      began: 4_000 - index,
      ended: 3_990 - index,
    }))
    const run = { workflowId, status: 'failed', began: 4_000, ended: 1_900, lines: 100_000, steps }
    return `/workflows/${workflowId}/runs/${await rows.run(run)}`
  })
  await page.goto(`${href}?tab=steps`)
  await expect(page.getByRole('link', { name: 'Copy volume 7', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: '499 steps done' }).first()).toBeVisible()
  await page.getByLabel('Filter steps').fill('volume 1999')
  await expect(page.getByRole('link', { name: 'Copy volume 1999', exact: true })).toBeVisible()

  await tab(page, 'Timeline').click()
  const timeline = page.getByRole('region', { name: 'Steps along time' })
  await timeline.getByRole('button', { name: '492 steps done' }).click()
  await timeline.evaluate((box) => box.scrollTo({ top: box.scrollHeight }))
  await expect(timeline.getByRole('button', { name: /Copy volume 1999/ })).toBeVisible()
  expect(await timeline.getByRole('button').count()).toBeLessThan(60)

  await tab(page, 'Log').click()
  const log = page.getByRole('log', { name: 'Log of the run' })
  await expect(log.getByText('Object 100000 of 100000')).toBeVisible()
  await log.evaluate((box) => box.scrollTo({ top: 0 }))
  await expect(log.getByText('Object 1 of 100000')).toBeVisible()
  await log.evaluate((box) => box.scrollTo({ top: box.scrollHeight / 2 }))
  await expect(log.getByText(/Object (49|50)\d{3} of 100000/).first()).toBeVisible()
  await page.getByLabel('Search the log').fill('checkpoint')
  await expect(log.getByText('Object 100000 of 100000')).toBeVisible()
  await expect(page.getByText('100 lines that match')).toBeVisible()
  await expect(log.getByText('99999')).toHaveCount(0)
})

test('a failed run is retried with other input, compared, and found again by a saved view', async ({
  page,
}) => {
  const { workflow } = await session.client.call('workflows.create', {
    body: {
      name: 'Release shop',
      inputSchema: { type: 'object', properties: { replicas: { type: 'integer', title: 'Replicas' } } },
      steps: [
        { key: 'plan', name: 'Plan', type: 'transform', config: { values: { image: 'shop:2' } } },
        {
          key: 'apply',
          name: 'Apply',
          type: 'transform',
          config: { values: { each: '{{ 12 / inputs.replicas }}' } },
        },
      ],
    },
  })
  const params = { id: workflow.id }
  await session.client.call('workflows.setState', { params, body: { state: 'active' } })
  const { run } = await session.client.call('workflows.execute', { params, body: { input: { replicas: 0 } } })
  await page.goto(`/workflows/${workflow.id}/runs/${run.id}`)
  await expect(page.getByText(/^Apply failed:/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Step Apply' }).getByText('Once.')).toBeVisible()

  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('menuitem', { name: /From the failed step/ })).toContainText(
    'Keeps 1 finished step, repeats the other 1.',
  )
  await page.route('**/retry', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 500, title: 'Internal error', detail: 'No disk.', code: 'internal' }),
    }),
  )
  await page.getByRole('menuitem', { name: /From the failed step/ }).click()
  await expect(page.getByText('Failed to retry workflow run')).toBeVisible()
  await page.unroute('**/retry')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('menuitem', { name: /With edited input/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Retry with edited input' })
  await dialog.getByLabel('Replicas').fill('3')
  expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Start the run' }).click()
  await expect(page).not.toHaveURL(new RegExp(run.id))
  await expect(page.getByText(/^Completed in/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'retries an earlier run' })).toBeVisible()

  await page.getByRole('link', { name: 'Compare' }).click()
  await expect(page.getByText('Run A failed at Apply, where run B succeeded.')).toBeVisible()
  await expect(page.getByRole('row', { name: /Input, replicas/ })).toContainText('another value')
  await expectSound(page)

  await page.goto('/workflows/runs')
  await page.getByRole('button', { name: /^failed/ }).click()
  await page.getByLabel('Workflow', { exact: true }).selectOption('Release shop')
  await expect(page.getByRole('row', { name: /Release shop/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await page.getByLabel('Name').fill('Failed releases')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.goto('/workflows/runs')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Failed releases' }).click()
  await expect(page).toHaveURL(/status=failed/)
  await expect(page.getByRole('row', { name: /Release shop/ })).toHaveCount(1)
  await expectSound(page)

  // Selected with the keyboard, retried as a run of its own.
  await page
    .getByRole('row', { name: /Release shop/ })
    .getByRole('link')
    .focus()
  await page.keyboard.press('x')
  await page.getByRole('group', { name: 'Selected runs' }).getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('button', { name: 'Retry 1 run' }).click()
  await expect(page.getByText(/^Completed in/)).toBeVisible()
  const line = page.getByRole('log').getByRole('link', { name: /^run [0-9a-f]{6}$/ })
  await expect(page.getByRole('log')).toContainText('Release shop: retried as')
  await line.click()
  await expect(page.getByText(/^Apply failed:/)).toBeVisible()
})

test('an approval is decided on a phone, and says by whom once it is', async ({ page, bey }) => {
  const form = {
    type: 'object',
    required: ['ticket'],
    properties: { ticket: { type: 'string', title: 'Ticket' } },
  }
  await write(bey.dataDir, async (rows) => {
    const workflowId = await rows.workflow('Deploy api-gateway')
    const approval = {
      question: 'Deploy api-gateway 2.14.0 to prod-eu-1?',
      details: 'Fixes the time-outs at checkout.',
      facts: [{ name: 'Replaces', value: '2.13.2, 6 pods' }],
      plan: ' containers:\n-  image: api-gateway:2.13.2\n+  image: api-gateway:2.14.0',
      form,
    }
    const step = { key: 'approve', name: 'Approve rollout', type: 'approval', status: 'waiting', began: 60 }
    await rows.run({ workflowId, status: 'waiting', began: 60, steps: [{ ...step, approval }] })
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/workflows/approvals')
  await page.getByRole('link', { name: /Deploy api-gateway 2.14.0/ }).click()
  await expect(page.getByRole('heading', { name: 'Deploy api-gateway 2.14.0 to prod-eu-1?' })).toBeVisible()
  await expect(page.getByText('1 added, 1 removed')).toBeVisible()
  await expectSound(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const approve = page.getByRole('button', { name: 'Approve', exact: true })
  await expect(approve).toBeInViewport()
  await page.getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByText('Say why you reject it.')).toBeVisible()
  await approve.click()
  await expect(page.getByText('Enter a ticket.')).toBeVisible()
  await page.getByLabel('Ticket').fill('CHG-7')
  await page.getByLabel('Reason').fill('Watch the 503s.')
  await approve.click()
  await expect(page.getByText('Ada Lovelace approved it already.')).toBeVisible()
  await expect(page.getByText('Watch the 503s.')).toBeVisible()
  await expect(approve).toHaveCount(0)
})

test('on a phone no field of an approval hides behind its buttons', async ({ page, bey }) => {
  const names = [1, 2, 3, 4, 5, 6, 7].map((number) => `answer ${number}`)
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', title: `Our ${name}` }]))
  const approval = { question: 'Deploy mail-gateway?', form: { type: 'object', required: names, properties } }
  const step = { key: 'approve', name: 'Approve', type: 'approval', status: 'waiting', began: 60 }
  await write(bey.dataDir, async (rows) => {
    const workflowId = await rows.workflow('Deploy mail-gateway')
    await rows.run({ workflowId, status: 'waiting', began: 60, steps: [{ ...step, approval }] })
  })
  const bar = page.getByRole('region', { name: 'Decision', exact: true })
  const first = page.getByLabel('Our answer 1')
  // The second is a phone whose keyboard is open, the third one on its side.
  for (const [width, height] of [
    [390, 844],
    [390, 480],
    [740, 360],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/workflows/approvals')
    await page.getByRole('link', { name: /Deploy mail-gateway/ }).click()
    await expect(bar).toBeVisible()
    // Half of the smallest screen and most of the others belong to the form.
    expect((await bar.boundingBox())?.height).toBeLessThan(130)
    const fields = [...names.map((name) => `Our ${name}`), 'Reason']
    await first.focus()
    for (const label of fields) {
      const field = page.getByLabel(label)
      await expect(field).toBeFocused()
      const isCovered = await field.evaluate((element) => {
        const { left, top, width: across, height: down } = element.getBoundingClientRect()
        const seen = document.elementFromPoint(left + across / 2, top + down - 2)
        return !element.contains(seen)
      })
      expect(isCovered, `${label} at ${width} × ${height}`).toBe(false)
      await page.keyboard.press('Tab')
    }
    // What is missing is shown where it has to be filled in, wherever the page was scrolled to.
    await page.getByRole('button', { name: 'Reject' }).click()
    await expect(page.getByLabel('Reason')).toBeFocused()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(first).toBeFocused()
    await expect(first).toBeInViewport()
  }
})
