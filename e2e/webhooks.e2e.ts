import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

test('a webhook is made, tested, fails, is replayed, paused, rotated and deleted', async ({ page, bey }) => {
  let status = 500
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(status, { 'x-answered-by': 'receiver' }).end(`status ${status}`)
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`

  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto('/workspaces/settings/webhooks')
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Create webhook' }).last().click()
  await expect(page.getByRole('heading', { name: 'Create webhook', level: 1 })).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('chat')
  await page.getByLabel('URL').fill('http://169.254.169.254/latest')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByText('Choose at least one event.')).toBeVisible()
  await page.getByRole('checkbox', { name: 'secret.updated' }).check()
  await page.getByRole('button', { name: 'Sample of secret.updated' }).click()
  await expect(page.getByRole('region', { name: 'Message of secret.updated' })).toContainText('secretId')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByText(/169\.254\.169\.254 is a link-local address/).first()).toBeVisible()
  await page.getByLabel('URL').fill(url)
  await page.getByLabel('Headers').fill('X-Team: shop')
  // An event that a workflow of the organization emits, by its name.
  await page.getByRole('textbox', { name: 'Events of your workflows' }).fill('Deployment finished')
  await page.getByRole('button', { name: 'Add event' }).click()
  await expect(page.getByText('Use lower-case words with dots between them')).toBeVisible()
  await page.getByRole('textbox', { name: 'Events of your workflows' }).fill('deployment.finished')
  await page.getByRole('button', { name: 'Add event' }).click()
  const own = page.getByRole('list', { name: 'Events of your workflows' })
  await expect(own).toContainText('custom.deployment.finished')
  await own.getByRole('button', { name: 'Remove custom.deployment.finished' }).click()
  await expect(own).toHaveCount(0)
  // Of the events that are chosen, one that carries statuses is needed for a filter by one.
  await page.getByRole('checkbox', { name: 'run.updated' }).check()
  await page.getByRole('combobox', { name: 'Statuses' }).selectOption('failed')
  await page.getByRole('combobox', { name: 'Workflows' }).selectOption({ label: 'Provision cluster' })
  await expect(page.getByRole('list', { name: 'Chosen: Workflows' })).toContainText('Provision cluster')
  await page.getByRole('button', { name: 'Provision cluster' }).click()
  await page.getByRole('checkbox', { name: 'run.updated' }).uncheck()
  await expect(page.getByRole('list', { name: 'Chosen: Statuses' })).toContainText('failed')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const shown = page.getByRole('dialog', { name: 'Copy the signing secret of chat now' })
  await expect(shown.getByRole('textbox', { name: 'Signing secret' })).toHaveValue(/^whsec_/)
  await shown.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByRole('heading', { name: 'chat', level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nothing was sent yet' })).toBeVisible()

  // A test, and an event of its own.
  await page.getByRole('button', { name: 'Send test' }).click()
  await expect(page.getByRole('dialog').getByRole('region', { name: 'Message' })).toContainText(
    '"test": true',
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click()
  const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row')
  await expect(rows.filter({ hasText: 'given up' })).toHaveCount(1)
  expect(JSON.parse(received[0]?.body ?? '{}')).toMatchObject({
    test: true,
    things: {
      secret: { name: 'Example secret', url: expect.stringContaining('/secrets/') as unknown },
    },
  })
  await expect(page.getByText('Every message fails')).toBeHidden()
  await session.client.call('secrets.create', { body: { name: 'shop/password', value: 'canary-value' } })
  await expect(rows.filter({ hasText: 'retrying' })).toHaveCount(1)
  expect(received[0]?.headers['x-team']).toBe('shop')
  expect(received.map(({ body }) => body).join('')).not.toContain('canary-value')
  await expect(page.getByText('Every message fails')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  // What was sent and answered, and once more.
  await rows.nth(1).getByRole('button', { name: 'secret.updated' }).click()
  const drawer = page.getByRole('dialog', { name: 'secret.updated' })
  await expect(drawer.getByText('The receiver answered 500.')).toBeVisible()
  await expect(drawer.getByRole('region', { name: 'Request of attempt 1' })).toContainText(
    'webhook-signature: v1,',
  )
  await expect(drawer.getByRole('region', { name: 'Answer to attempt 1' })).toContainText(
    'x-answered-by: receiver',
  )
  expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
  status = 204
  await drawer.getByRole('button', { name: 'Replay' }).click()
  await expect(drawer.getByText('Answered 204.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rows.filter({ hasText: 'delivered' })).not.toHaveCount(0)

  await page.getByRole('button', { name: 'Replay…' }).click()
  await page.getByLabel('Also those that were delivered').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
  await expect(page.getByText('on the way again')).toBeVisible()
  await expect(rows.filter({ hasText: 'delivered' })).toHaveCount(2)

  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Chosen: Statuses' })).toContainText('failed')
  await page.getByLabel('Name', { exact: true }).fill('chat of the shop')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { name: 'chat of the shop', level: 1 })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
  await expect(page.getByRole('textbox', { name: 'Signing secret' })).toHaveValue(/^whsec_/)
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await expect(page.getByText('Messages are signed with two secrets')).toBeVisible()

  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible()
  receiver.closeAllConnections()
  receiver.close()
})
