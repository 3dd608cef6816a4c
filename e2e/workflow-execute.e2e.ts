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
    'Enter cluster.',
    'Enter an address with its scheme, such as https://example.org.',
    'Enter an e-mail address, such as ada@example.org.',
  ]) {
    await expect(page.getByText(message)).toBeVisible()
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
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
