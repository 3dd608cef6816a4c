import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

async function enter(page: Page, session: BeySession, path: string): Promise<void> {
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('an .env file is moved in: previewed, chosen row by row, stored, and kept nowhere in the browser', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await session.client.call('secrets.create', { body: { name: 'shop/TOKEN', value: 'before' } })
  await enter(page, session, '/secrets')
  await page.getByRole('button', { name: 'More about secrets' }).click()
  await page.getByRole('menuitem', { name: 'Import' }).click()
  await expect(page.getByRole('heading', { name: 'Import secrets', level: 1 })).toBeVisible()
  await page.locator('input[type=file]').setInputFiles({
    name: '.env',
    mimeType: 'text/plain',
    buffer: Buffer.from('DB_URL=canary-url\nTOKEN=canary-token\n2 wrong'),
  })
  await expect(page.getByLabel('Format')).toHaveValue('env')
  await page.getByLabel('Prefix').fill('shop/')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(page.getByText('Line 3: This is no NAME=value')).toBeVisible()
  await page
    .getByRole('textbox', { name: 'Text' })
    .fill('DB_URL=canary-url\nTOKEN=canary-token\n-bad=canary-bad')
  await page.getByRole('button', { name: 'Preview' }).click()
  await expect(rowOf(page, 'shop/DB_URL')).toContainText('created')
  await expect(rowOf(page, 'shop/TOKEN')).toContainText('It is there already.')
  await expect(rowOf(page, '-bad')).toHaveCount(1)
  expect(await axeFindings(page, { within: '#main' })).toEqual([])
  await page.getByLabel('What becomes of shop/TOKEN').selectOption('New version')
  await expect(rowOf(page, 'shop/TOKEN')).toContainText('new version')
  await page.getByRole('button', { name: 'Import 3 secrets' }).click()
  await expect(page.getByRole('heading', { name: 'Imported' })).toBeVisible()
  const kept = await page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      JSON.stringify(Object.entries(localStorage)),
      JSON.stringify(Object.entries(sessionStorage)),
    ].join(),
  )
  expect(kept).not.toContain('canary-')
  const { secrets } = await session.client.call('secrets.list', { query: { search: 'shop/TOKEN' } })
  const id = secrets[0]?.id ?? ''
  const read = await session.client.call('secrets.reveal', { params: { id }, body: { reason: 'Test' } })
  expect(read).toMatchObject({ value: 'canary-token', version: 2 })

  await page.getByRole('link', { name: 'All secrets' }).click()
  await page.getByRole('button', { name: 'More about secrets' }).click()
  await page.getByRole('menuitem', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Download' })).toBeDisabled()
  await dialog.getByLabel('Reason').fill('Moving house')
  expect(await axeFindings(page, { within: '[role=dialog]' })).toEqual([])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('secrets.env')
  expect(readFileSync(await download.path(), 'utf8')).toContain('canary-url')
  const { entries } = await session.client.call('secrets.activity', { params: { id } })
  expect(entries[0]).toMatchObject({ action: 'secret.export', diff: { reason: 'Moving house' } })
})

test('a link to a secret opens once, by a click and without an account, and is listed until then', async ({
  page,
  browser,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const { id } = await session.client.call('secrets.create', { body: { name: 'door', value: 'canary-door' } })
  await enter(page, session, `/secrets/${id}`)
  await page.getByRole('button', { name: 'Actions for door' }).click()
  await page.getByRole('menuitem', { name: 'Share by link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('For the locksmith')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue()
  expect(link).toMatch(/\/share\/[0-9a-f-]{36}#[\w-]{43}$/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('1 waits to be opened')).toBeVisible()
  await expect(page.getByText('“For the locksmith”')).toBeVisible()

  const stranger = await browser.newPage()
  const asked: string[] = []
  stranger.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
  await stranger.goto(link)
  await expect(stranger.getByRole('heading', { name: 'A secret for you' })).toBeVisible()
  expect(await axeFindings(stranger)).toEqual([])
  expect(asked.filter((each) => each.includes('secret-shares'))).toEqual([])
  await stranger.getByRole('button', { name: 'Show' }).click()
  await expect(stranger.getByRole('region', { name: 'Value' })).toHaveText('canary-door')
  expect(stranger.url()).not.toContain('#')
  expect(asked.join('\n')).not.toContain(link.split('#')[1])
  await stranger.goto(link)
  await stranger.reload()
  await stranger.getByRole('button', { name: 'Show' }).click()
  const refusal = /This link does not open anything: it was opened already, has expired or was revoked/
  await expect(stranger.getByText(refusal)).toBeVisible()
  await stranger.goto(`${bey.url}/share/00000000-0000-4000-8000-000000000000#${'A'.repeat(43)}`)
  await stranger.getByRole('button', { name: 'Show' }).click()
  await expect(stranger.getByText(refusal)).toBeVisible()
  await stranger.goto(link.slice(0, -3))
  await expect(stranger.getByText('The link is incomplete', { exact: true })).toBeVisible()
  await stranger.close()

  await expect(page.getByText('none waits to be opened')).toBeVisible()
  await expect(page.getByRole('cell', { name: /^opened/ })).toBeVisible()
})

test('a text is shared without storing a secret, and its link is revoked', async ({ page, browser, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  await enter(page, session, '/secrets/links')
  await expect(page.getByText('You have made no links yet')).toBeVisible()
  await page.getByRole('textbox', { name: 'Text' }).fill('canary-text')
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  expect(await page.content()).not.toContain('canary-text')
  await expect(page.getByText('waits to be opened')).toBeVisible()
  expect(await axeFindings(page, { within: '#main' })).toEqual([])
  await page.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('cell', { name: 'revoked' })).toBeVisible()
  const stranger = await browser.newPage()
  await stranger.goto(link)
  await stranger.getByRole('button', { name: 'Show' }).click()
  await expect(stranger.getByText('This link does not open anything')).toBeVisible()
  await stranger.close()
})
