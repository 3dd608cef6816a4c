import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

const inputSchema = {
  type: 'object',
  required: ['cluster', 'owner'],
  properties: {
    cluster: { type: 'string' },
    hook: { type: 'string', format: 'uri', title: 'Web hook' },
    since: { type: 'string', format: 'date' },
    until: { type: 'string', format: 'date-time' },
    owner: {
      type: 'object',
      description: 'Whom to ask.',
      required: ['email'],
      properties: { email: { type: 'string', format: 'email' }, team: { type: 'string', default: 'sre' } },
    },
  },
}

test('the execute form marks every wrong field at once, draws groups and dates, and sends them', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const steps = [{ key: 'a', name: 'A', type: 'transform', config: { values: {} } }]
  const { workflow } = await session.client.call('workflows.create', {
    body: { name: 'Rotate', inputSchema, steps },
  })
  await enterWith(page, session.token)
  await page.goto(`/workflows/${workflow.id}/execute`)
  const owner = page.getByRole('group', { name: 'Owner' })
  await expect(owner.getByText('Whom to ask.')).toBeVisible()
  await page.getByLabel('Web hook').fill('example')
  await owner.getByLabel('Email').fill('ada')
  const submit = page.getByRole('button', { name: 'Execute workflow' })
  await submit.click()
  for (const message of [
    'Enter a cluster.',
    'Enter an address with its scheme, such as https://example.org.',
    'Enter an e-mail address, such as ada@example.org.',
  ]) {
    await expect(page.getByText(message)).toBeVisible()
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFindings(page)).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByLabel('Cluster').fill('prod')
  await page.getByLabel('Web hook').fill('https://example.org/hook')
  await page.getByLabel('Since').fill('2026-01-31')
  await page.getByLabel('Until').fill('2026-02-01T08:30')
  await owner.getByLabel('Email').fill('ada@example.org')
  await submit.click()
  await page.waitForURL(/\/runs\/(?<id>[^/?]+)/)
  const runId = /\/runs\/([^/?]+)/.exec(page.url())?.[1] ?? ''
  const { run } = await session.client.call('workflows.run', { params: { id: workflow.id, runId } })
  expect(run.input).toMatchObject({
    cluster: 'prod',
    hook: 'https://example.org/hook',
    since: '2026-01-31',
    owner: { email: 'ada@example.org', team: 'sre' },
  })
  const until = await page.evaluate(() => new Date('2026-02-01T08:30').toISOString())
  expect(run.input['until']).toBe(until)
})

test('the items of a loop are shown with status and error, in the graph and in the list of a run', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const code = 'if (input.item === 2) throw new Error("No host 2"); return input.item'
  const { workflow } = await session.client.call('workflows.create', {
    body: {
      name: 'Check hosts',
      steps: [
        {
          key: 'check',
          name: 'Check host',
          type: 'script',
          foreach: { items: '[1, 2, 3]' },
          config: { code, input: { item: '{{ item }}' } },
        },
      ],
    },
  })
  const { run } = await session.client.call('workflows.execute', { params: { id: workflow.id }, body: {} })
  await enterWith(page, session.token)
  await page.goto(`/workflows/${workflow.id}/runs/${run.id}`)
  const graph = page.getByRole('region', { name: 'Graph of the steps' })
  await expect(graph.getByText('2 of 3 items succeeded, 1 failed')).toBeVisible({ timeout: 60_000 })
  const items = page.getByRole('table', { name: 'Items' })
  await expect(items.getByRole('row', { name: /^2 Failed Error: No host 2/i })).toBeVisible()
  await expect(items.getByRole('row')).toHaveCount(4)
  await page.getByRole('group', { name: 'Which items' }).getByText('In trouble').click()
  await expect(items.getByRole('row')).toHaveCount(2)
  expect(await axeFindings(page)).toEqual([])
  await items
    .getByRole('link', { name: /Item 2/ })
    .or(items.getByText('Error: No host 2'))
    .first()
    .click()
  await expect(page.getByRole('region', { name: 'Step Check host 2' })).toBeVisible()
  await page.goto(`/workflows/${workflow.id}/runs/${run.id}?tab=steps`)
  const steps = page.getByRole('table', { name: 'Steps' })
  await expect(steps.getByRole('row', { name: /Check host 2.*No host 2/ })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/workflows/${workflow.id}/runs/${run.id}`)
  await expect(items.getByText('Error: No host 2')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
})

test('a deleted workflow says until when it can be restored, and is restored as it was', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const steps = [{ key: 'a', name: 'A', type: 'transform', config: { values: {} } }]
  const { workflow } = await session.client.call('workflows.create', {
    body: { name: 'Nightly sums', steps },
  })
  await enterWith(page, session.token)
  await page.goto(`/workflows/${workflow.id}?tab=settings`)
  await page.getByRole('button', { name: 'Delete workflow' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('For 7 days it can be restored with')).toBeVisible()
  await dialog.getByRole('textbox').fill('Nightly sums')
  await dialog.getByRole('button', { name: 'Delete workflow' }).click()
  await expect(page.getByText('It is deleted: nothing starts it.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.goto('/workflows?state=archived')
  const row = page.getByRole('row', { name: /Nightly sums/ })
  await expect(row.getByText('deleted')).toBeVisible()
  await row.getByRole('button', { name: 'Actions for Nightly sums' }).click()
  await page.getByRole('menuitem', { name: 'Restore', exact: true }).click()
  await expect(page.getByText('Nightly sums restored')).toBeVisible()
  await expect(row).toHaveCount(0)
  await page.goto(`/workflows/${workflow.id}`)
  await expect(page.getByRole('link', { name: 'Execute', exact: true })).toBeVisible()
  await expect(page.getByText('It is deleted: nothing starts it.')).toHaveCount(0)
})
