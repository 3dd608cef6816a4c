import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

test('an owner sets policies, and an auditor finds what happened, opens it, verifies the log, exports what the filters leave, and streams it', async ({
  page,
  bey,
}) => {
  const person = newcomer()
  const session = await signUpByApi(bey.url, person)
  const headers = {
    authorization: `Bearer ${session.token}`,
    'x-organization-id': String(session.organizationId),
    'content-type': 'application/json',
  }
  const post = (path: string, body: unknown) =>
    fetch(`${bey.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await post('/api/secrets', { name: 'orders-db', type: 'password', value: 'never-in-the-log' })
  await post('/api/secrets', { name: 'smtp', type: 'password', value: 'never-in-the-log-2' })
  await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)

  await page.goto('/workspaces/settings/security')
  await page.getByLabel('End a session after', { exact: true }).selectOption('12')
  await page.getByLabel('Networks').fill('10.0.0.0/8')
  await page.getByRole('button', { name: 'Save policies' }).click()
  await expect(page.getByText(/you would lock yourself out/)).toBeVisible()
  await page.getByLabel('Networks').fill('127.0.0.0/8')
  await page.getByRole('button', { name: 'Save policies' }).click()
  await expect(page.getByText('Policies saved')).toBeVisible()

  await page.getByRole('navigation', { name: 'Parts of security' }).getByText('Audit log').click()
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await expect(rows.filter({ hasText: 'changed the security policies' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'created a secret' })).toHaveCount(2)

  await page.getByLabel('Action', { exact: true }).selectOption('secret.create')
  await expect(page).toHaveURL(/action=secret\.create/)
  await expect(page.getByText('2 entries', { exact: true })).toBeVisible()
  await page.getByPlaceholder(/Actor, action, resource/).fill('orders')
  await expect(rows.filter({ hasText: 'smtp' })).toHaveCount(0)
  await rows.filter({ hasText: 'orders-db' }).getByRole('link').click()
  await expect(page.getByText('role OWNER, secrets.create')).toBeVisible()
  await expect(page.getByText('joins the entries before and after it')).toBeVisible()
  await expect(page.getByRole('region', { name: 'What changed' })).not.toContainText('never-in-the-log')
  await page.reload()
  await expect(page.getByText('joins the entries before and after it')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/)

  // An auditor proves what the filters leave without the server, by the program that the console hands out.
  const proving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'JSON Lines with proof' }).click()
  const proof = await proving
  expect(proof.suggestedFilename()).toMatch(/^audit-.*\.proof\.jsonl$/)
  const handing = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Program that verifies a proof' }).click()
  const program = await handing
  const directory = test.info().outputDir
  await proof.saveAs(`${directory}/audit.proof.jsonl`)
  await program.saveAs(`${directory}/verify-audit.mjs`)
  const verified = execFileSync(process.execPath, ['verify-audit.mjs', 'audit.proof.jsonl'], {
    cwd: directory,
  })
  expect(verified.toString()).toMatch(/^PROVED: 1 entry of organization/)

  await page.getByRole('link', { name: 'Everything about orders-db' }).click()
  await expect(page.getByText(/^About secret /)).toBeVisible()
  await page.getByRole('button', { name: /^Verify/ }).click()
  await expect(page.getByText(/^All \d+ entries are in place and unchanged\.$/)).toBeVisible()

  const received: string[] = []
  const siem = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      received.push(text)
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(siem, 'listening')
  const address = `127.0.0.1:${(siem.address() as AddressInfo).port}`
  await page.getByRole('button', { name: 'Stream…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill(`http://${address}/siem`)
  await dialog.getByLabel('Begin with').selectOption('first')
  await dialog.getByRole('button', { name: 'Stream the log' }).click()
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  const stream = page.getByRole('region', { name: 'Stream to Audit log' })
  await expect(stream.getByText(/^Delivered up to entry \d+: everything\.$/)).toBeVisible({ timeout: 60_000 })
  expect(received.join('')).toContain('policies.update')
  await stream.getByRole('button', { name: 'Pause' }).click()
  await expect(stream.getByText(/^Paused: the stream to/)).toBeVisible()
  siem.close()
})
