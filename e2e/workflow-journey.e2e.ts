import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

test.setTimeout(90_000)

const run = promisify(execFile)
const node = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Steps of the workflow' }).getByRole('button', { name })
const form = (page: Page) => page.getByRole('region', { name: 'Step', exact: true })

/** Nothing for axe in light and dark, and nothing wider than a phone. */
async function expectSound(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFindings(page)).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

test('a chore is automated from a template: edited, tested, run, mended, retried, scheduled and called', async ({
  page,
  bey,
}) => {
  let asked = 0
  const shop = createServer((_request, response) => {
    asked += 1
    response.end('ok')
  }).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/health`
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  const dialog = page.getByRole('dialog')

  // A template, changed by somebody who believes that the body of the answer is its status.
  await page.goto('/workflows')
  await page.getByRole('button', { name: 'Start from a template' }).click()
  await dialog.getByRole('link', { name: /^HTTP health check/ }).click()
  await node(page, 'Compare the status').click()
  await form(page)
    .getByLabel('Values', { exact: true })
    .fill('is_healthy: "{{ int(steps.ask.output.body) == inputs.status }}"')
  await form(page).getByText('Sample values').click()
  await form(page).getByLabel('Outputs of earlier steps by key').fill('ask: { body: "200" }')
  await form(page).getByRole('button', { name: 'Test this step' }).click()
  await expect(form(page).getByText('Succeeded.')).toBeVisible()
  await expectSound(page)
  // The width has just changed, and the editor for it hears the key once it is drawn.
  await expect(async () => {
    await page.keyboard.press('ControlOrMeta+s')
    await expect(dialog.getByRole('button', { name: 'Create workflow' })).toBeVisible({ timeout: 3_000 })
  }).toPass()
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'HTTP health check' })).toBeVisible()
  const [, id = ''] = /\/workflows\/([0-9a-f-]{36})/.exec(page.url()) ?? []

  await page.getByRole('link', { name: 'Execute' }).click()
  await page.getByLabel('Address').fill(url)
  await page.getByRole('button', { name: 'Execute workflow' }).click()
  await expect(page.getByText(/^Compare the status failed:/)).toBeVisible()
  const skipped = page.getByRole('button', { name: /Fail the run/ })
  await expect(skipped).toContainText('skipped: the run failed at "judge".')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(crumbs).toContainText(/Workflows.*HTTP health check.*Run [0-9a-f]{6}$/)
  const failedUrl = page.url()

  // The last run says what there is; mended, the step is tested with its values.
  await page.goto(`/workflows/${id}/edit`)
  await node(page, 'Compare the status').click()
  await form(page)
    .getByLabel('Values', { exact: true })
    .fill('is_healthy: "{{ steps.ask.output.status == inputs.status }}"')
  await expect(form(page).getByText('in the last run', { exact: true })).toBeVisible()
  await form(page).getByRole('button', { name: 'Test this step' }).click()
  await expect(form(page).getByText('Succeeded.')).toBeVisible()
  await node(page, 'Fail the run').click()
  await form(page).getByText('Run when').click()
  await form(page).getByLabel('Condition').fill('inputs.status == 200')
  await expect(form(page).getByText('true in the last run')).toBeVisible()
  await form(page).getByLabel('Condition').fill('!steps.judge.output.is_healthy')
  await page.keyboard.press('ControlOrMeta+s')
  await dialog.getByLabel('Reason').fill('The status is a field of its own')
  await dialog.getByRole('button', { name: 'Save version 2' }).click()
  await expect(page.getByText('Version 2 saved').first()).toBeVisible()

  await page.goto(failedUrl)
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'With version 2, the newest' }).click()
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByRole('menuitem', { name: /From the failed step/ }).click()
  await expect(page.getByText(/^Completed in/)).toBeVisible()
  expect(asked).toBe(1)
  await page.getByRole('link', { name: 'Compare' }).click()
  await expect(page.getByText('Run A failed at Compare the status, where run B succeeded.')).toBeVisible()
  await expectSound(page)

  // A schedule in words, and a webhook that the shown command calls.
  await page.goto(`/workflows/${id}?tab=triggers`)
  await page.getByRole('button', { name: 'Add trigger' }).click()
  await dialog.getByLabel('Name').fill('Every working day')
  await dialog.getByRole('textbox', { name: 'Schedule' }).fill('30 2 * * 1-5')
  await dialog.getByLabel('Time zone').selectOption('Europe/Berlin')
  const times = dialog.getByRole('region', { name: 'Next times' })
  await expect(times.getByRole('listitem')).toHaveCount(5)
  await expect(times).toContainText('At 02:30, Monday through Friday (Europe/Berlin)')
  await dialog.getByLabel('Input').fill(`url: ${url}`)
  expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Add trigger' }).click()
  await expect(page.getByRole('row', { name: /Every working day/ })).toContainText('Monday through Friday')

  await page.getByRole('button', { name: 'Add trigger' }).click()
  await dialog.getByText('Webhook', { exact: true }).click()
  await dialog.getByLabel('Name').fill('Deployed')
  await dialog.getByLabel('Input').fill(`url: "${url}?version={{ body.version }}"`)
  await dialog.getByRole('button', { name: 'Add trigger' }).click()
  const command = await dialog.getByLabel('Command that sends the webhook').innerText()
  await dialog.getByRole('button', { name: 'I have copied the secret' }).click()
  const answer = await run('bash', ['-c', command])
  expect(JSON.parse(answer.stdout)).toMatchObject({ status: 'started' })
  await page.getByRole('link', { name: 'Runs', exact: true }).last().click()
  await expect(page.getByRole('row', { name: /webhook/i })).toContainText('completed')
  expect(asked).toBe(2)
  await expectSound(page)
  shop.close()
})

test('a run that waits is reviewed on a phone from the list of workflows, and one that sleeps is cancelled', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  const { workflow } = await session.client.call('workflows.create', {
    body: {
      name: 'Release shop',
      steps: [
        {
          key: 'ask',
          name: 'Approve rollout',
          type: 'approval',
          config: { question: 'Release shop:2?', approvers: { role: 'ADMIN', allow_requester: true } },
        },
        { key: 'night', name: 'Wait for the night', type: 'wait', config: { duration_ms: 36_000_000 } },
      ],
    },
  })
  await session.client.call('workflows.execute', { params: { id: workflow.id }, body: {} })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/workflows')
  await expect(page.getByText('Ada Lovelace waits for your approval')).toBeVisible()
  await expect(page.getByText(/and 1 run waits for you/)).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('link', { name: 'Review' }).click()
  await page.getByLabel('Reason').fill('Tested on staging.')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(page.getByText('Ada Lovelace approved it already.')).toBeVisible()

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/workflows/runs')
  await page.getByRole('button', { name: 'From – to…' }).click()
  const range = page.getByRole('dialog', { name: 'Runs between two times' })
  await range.getByRole('button', { name: 'Show these runs' }).click()
  await expect(range.getByText('Choose a date.')).toBeVisible()
  await range.getByLabel('To, date').fill('2020-01-01')
  await range.getByRole('button', { name: 'Show these runs' }).click()
  await expect(page).toHaveURL(/to=2020-01-01/)
  await expect(page.getByRole('row', { name: /Release shop/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear the time' }).click()
  await page
    .getByRole('row', { name: /Release shop/ })
    .getByRole('link')
    .click()
  await expect(page.getByText(/^Waiting/).first()).toBeVisible()
  await page.keyboard.press('2')
  const zoom = page.getByRole('group', { name: 'Zoom of the timeline' })
  await expect(zoom).toContainText('fits')
  await page.keyboard.press('+')
  await expect(zoom).toContainText('2 ×')
  await page.keyboard.press('0')
  await expect(zoom).toContainText('fits')
  expect(await axeFindings(page, { within: '#main' })).toEqual([])
  await page.keyboard.press('.')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click()
  await expect(page.getByText('Cancelled.')).toBeVisible()
})
