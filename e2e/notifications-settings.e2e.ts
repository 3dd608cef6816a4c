import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

test('an admin adds a channel, tests it, and a rule sends to it what happens', async ({ page, bey }) => {
  const received: string[] = []
  const host = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      received.push(text)
      response.end('ok')
    })
  }).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const session = await signUpByApi(bey.url, newcomer())
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
  await page.goto('/workspaces/settings/notifications')

  await page
    .getByRole('region', { name: 'Channels of the organization' })
    .getByRole('button', { name: 'Set up Slack' })
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name')).toHaveValue('Slack')
  await dialog.getByLabel('Name').fill('ops')
  await dialog.getByLabel('Address').fill(`http://127.0.0.1:${(host.address() as AddressInfo).port}/hook`)
  await dialog.getByRole('button', { name: 'Add channel' }).click()
  await page.getByRole('button', { name: 'Send a test to ops' }).click()
  await expect(page.getByText('Test sent')).toBeVisible()
  expect(received[0]).toContain('Test of the channel')

  await page
    .getByRole('region', { name: 'Rules of the organization' })
    .getByRole('button', { name: 'Add rule' })
    .click()
  await dialog.getByLabel('Name').fill('Everything done')
  await dialog.getByLabel('A run completed').check()
  await dialog.getByLabel('ops').check()
  await dialog.getByRole('button', { name: 'Create rule' }).click()
  await expect(page.getByText('in the console, ops')).toBeVisible()

  await session.client.call('clusters.create', { body: { title: 'blue', provider: 'sandbox' } })
  await expect.poll(() => received.some((text) => text.includes('completed')), { timeout: 30_000 }).toBe(true)
  await page.getByRole('button', { name: 'Actions of Everything done' }).click()
  await page.getByRole('menuitem', { name: 'Mute for an hour' }).click()
  await expect(page.getByText(/muted until/)).toBeVisible()
  host.close()
})
