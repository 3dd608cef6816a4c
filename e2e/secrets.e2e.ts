import type { Page } from '@playwright/test'
import { addMember } from '../packages/server/src/testing/add-member.ts'
import { signUpByApi } from '../tools/api-session.ts'
import type { BeySession } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'
import { open, palette, preview, search } from './palette-page.ts'

async function enter(page: Page, session: BeySession, path: string): Promise<void> {
  await page.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })
const reasonField = (page: Page) => page.getByRole('textbox', { name: 'Reason' })
const revealButton = (page: Page) => page.getByRole('button', { name: 'Reveal', exact: true })
const shownValue = (page: Page) => page.getByRole('region', { name: 'Value', exact: true })
const toasts = (page: Page, text: string | RegExp) => page.getByText(text).first()

/** Where a value must not be once it is hidden. */
const keptText = (page: Page) =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases()
    return [
      document.documentElement.outerHTML,
      JSON.stringify(Object.entries(localStorage)),
      JSON.stringify(Object.entries(sessionStorage)),
      document.cookie,
      location.href,
      JSON.stringify(history.state),
      JSON.stringify(databases),
      ...[...document.querySelectorAll('input, textarea')].map((field) =>
        field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : '',
      ),
    ].join('\n')
  })

async function store(session: BeySession, name: string, value: string): Promise<string> {
  const { id } = await session.client.call('secrets.create', { body: { name, value } })
  return id
}

async function actOn(page: Page, thing: string, act: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${thing}`, exact: true }).click()
  await page.getByRole('menuitem', { name: act, exact: true }).click()
}

test('a generated password is stored, revealed with a reason, hidden again, and kept nowhere', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await enter(page, session, '/secrets')
  await expect(page.getByRole('heading', { name: 'No secrets yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Create secret' }).last().click()
  // The list has a filter of the same name.
  await expect(page.getByRole('heading', { name: 'Create secret', level: 1 })).toBeVisible()
  await page.getByLabel('Type').selectOption('Password')
  await page.getByRole('button', { name: 'Create secret' }).click()
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await nameField(page).fill('orders/password')
  await page.getByRole('button', { name: 'Generate' }).click()
  await expect(page.getByText(/^strong, at most/)).toBeVisible()
  const value = await page.getByRole('textbox', { name: 'Password' }).inputValue()
  expect(value).toHaveLength(32)
  await page.getByRole('button', { name: 'Create secret' }).click()
  await expect(page.getByRole('heading', { name: 'orders/password', level: 1 })).toBeVisible()
  expect(await keptText(page)).not.toContain(value)

  await page.getByRole('link', { name: 'Secrets', exact: true }).first().click()
  await page.getByRole('link', { name: 'orders/password' }).click()
  await expect(revealButton(page)).toBeDisabled()
  await reasonField(page).fill('Orders cannot log in')
  await revealButton(page).click()
  await expect(shownValue(page)).toHaveText(value)
  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  await expect(shownValue(page)).toHaveCount(0)
  expect(await keptText(page)).not.toContain(value)
  await expect(page.getByText('“Orders cannot log in”')).toBeVisible()
  await expect(page.getByText(/1 person can read it, 1 person has\./)).toBeVisible()
})

test('a value is hidden by itself after 30 s', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  const id = await store(session, 'brief', 'canary-brief')
  await page.clock.install()
  await enter(page, session, `/secrets/${id}`)
  await reasonField(page).fill('Looking for a while')
  await revealButton(page).click()
  await expect(shownValue(page)).toHaveText('canary-brief')
  await page.clock.fastForward(31_000)
  await expect(shownValue(page)).toHaveCount(0)
  expect(await keptText(page)).not.toContain('canary-brief')
})

test('copied without being shown, given a new value, compared, and rolled back', async ({
  page,
  context,
  bey,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const session = await signUpByApi(bey.url, newcomer())
  const id = await store(session, 'token', 'canary-first')
  await enter(page, session, `/secrets/${id}`)
  await reasonField(page).fill('Needed in the terminal')
  await page.getByRole('button', { name: 'Copy Value' }).click()
  await expect(toasts(page, 'Copied to clipboard')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('canary-first')
  expect(await keptText(page)).not.toContain('canary-first')

  await page.getByRole('button', { name: 'New value' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Value' }).fill('canary-second')
  await dialog.getByRole('textbox', { name: /^Reason/ }).fill('Seen in a screen share')
  await dialog.getByRole('button', { name: 'Store value' }).click()
  await expect(toasts(page, 'token is at version 2')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Value of version 2' })).toBeVisible()

  await page.getByRole('link', { name: 'Versions', exact: true }).click()
  // The versions that were read before the new one move down when it comes.
  await expect(page.getByRole('row', { name: /^Version 2 current/ })).toBeVisible()
  await actOn(page, 'version 1', 'Compare with the current version')
  await reasonField(page).fill('What did change')
  await dialog.getByRole('button', { name: 'Compare' }).click()
  const difference = page.getByRole('region', { name: 'Difference' })
  await expect(difference).toContainText('removed: canary-first')
  await expect(difference).toContainText('added: canary-second')
  await dialog.getByRole('button', { name: 'Hide' }).click()
  expect(await keptText(page)).not.toContain('canary-')

  await actOn(page, 'version 1', 'Roll back to this version')
  await reasonField(page).fill('The new one does not work')
  await dialog.getByRole('button', { name: 'Roll back' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'value of version 1' })).toContainText('Version 3')
  const { value } = await session.client.call('secrets.reveal', { params: { id }, body: { reason: 'Test' } })
  expect(value).toBe('canary-first')
})

test('of two writers the second is refused, and nothing is overwritten', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  const id = await store(session, 'contended', 'first')
  await enter(page, session, `/secrets/${id}`)
  await page.getByRole('button', { name: 'New value' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Value' }).fill('of the slow one')
  await session.client.call('secrets.update', { params: { id }, body: { value: 'of the quick one' } })
  await dialog.getByRole('button', { name: 'Store value' }).click()
  await expect(dialog.getByText(/is at version 2, not 1: somebody changed it meanwhile/)).toBeVisible()
  const revealed = await session.client.call('secrets.reveal', { params: { id }, body: { reason: 'Test' } })
  expect(revealed).toMatchObject({ value: 'of the quick one', version: 2 })
})

test('deleted with its consequences named, refused while it is being deleted, and restored', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const id = await store(session, 'old', 'canary-old')
  await enter(page, session, `/secrets/${id}`)
  await actOn(page, 'old', 'Delete')
  await expect(page.getByRole('dialog').getByText('Nothing needs old.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete secret' }).click()
  await expect(page.getByText('This secret is being deleted')).toBeVisible()
  await expect(reasonField(page)).toBeDisabled()
  await page.goto('/secrets?status=pending_deletion')
  await page.getByRole('link', { name: 'old' }).click()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('This secret is being deleted')).toHaveCount(0)
  await expect(reasonField(page)).toBeEnabled()
})

test('a member may not reveal until it is granted', async ({ page, bey }) => {
  const owner = await signUpByApi(bey.url, newcomer())
  const person = newcomer('Another organization')
  const member = await signUpByApi(bey.url, person)
  await addMember(bey.dataDir, { ...person, organizationId: owner.organizationId, role: 'MEMBER' })
  const id = await store(owner, 'granted', 'canary-granted')
  await enter(page, member, `/secrets/${id}`)
  await expect(page.getByText('Your workflows may use this value; you may not see it.')).toBeVisible()
  await expect(reasonField(page)).toBeDisabled()

  const ownerPage = await (await page.context().browser()!.newContext({ baseURL: bey.url })).newPage()
  await enter(ownerPage, owner, `/secrets/${id}?tab=access`)
  await ownerPage.getByLabel('Grant to').selectOption(`${person.name} (${person.email})`)
  await ownerPage.getByLabel('Access', { exact: true }).selectOption('Read')
  await ownerPage.getByRole('button', { name: 'Grant', exact: true }).click()
  await expect(ownerPage.getByRole('cell', { name: 'Granted to this person' })).toBeVisible()
  await ownerPage.context().close()

  await page.reload()
  await reasonField(page).fill('It was granted to me')
  await revealButton(page).click()
  await expect(shownValue(page)).toHaveText('canary-granted')
})

test('the palette finds a secret, names how it is kept, and asks a reason before it copies', async ({
  page,
  context,
  bey,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const session = await signUpByApi(bey.url, newcomer())
  await store(session, 'mail-relay', 'canary-relay')
  await enter(page, session, '/')
  await open(page)
  await search(page).fill('mail-relay')
  await palette(page)
    .getByRole('option', { name: /mail-relay/ })
    .first()
    .hover()
  const shown = preview(page, 'mail-relay')
  await expect(shown.getByText('AES-256-GCM, the organization’s own key')).toBeVisible()
  await expect(shown.getByText('Access control')).toBeVisible()
  await expect(shown.getByText('Audit logging')).toBeVisible()
  await expect(shown.getByText(/^Created by/)).toBeVisible()
  await expect(shown.getByText('nothing known')).toBeVisible()
  await shown.getByRole('button', { name: 'Copy Value' }).click()
  await reasonField(page).fill('Needed in the terminal')
  await page.getByRole('dialog').getByRole('button', { name: 'Copy Value' }).click()
  await expect(toasts(page, 'Copied to clipboard')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('canary-relay')

  await expect(page.getByRole('dialog')).toHaveCount(0)
  await open(page)
  await search(page).fill('mail-relay')
  await palette(page)
    .getByRole('option', { name: /mail-relay/ })
    .first()
    .hover()
  await shown.getByRole('button', { name: 'Delete Secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete secret' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const { secrets } = await session.client.call('secrets.list', { query: { status: 'pending_deletion' } })
  expect(secrets.map(({ name }) => name)).toEqual(['mail-relay'])

  await page.keyboard.press('n')
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/\/secrets\/create$/)
})

test('the label of a secret leads to the list of all that carry it', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  const body = { value: 'v', labels: { team: 'web' } }
  const { id } = await session.client.call('secrets.create', { body: { ...body, name: 'labelled' } })
  await store(session, 'plain', 'w')
  await enter(page, session, `/secrets/${id}`)
  await page.getByRole('link', { name: 'team=web' }).click()
  await expect(page.getByText('1 secret', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'plain' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Show every label, not only team=web' }).click()
  await expect(page.getByText('2 secrets', { exact: true })).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on the list, the form and the page, ${colorScheme}`, async ({ page, bey }) => {
    await page.emulateMedia({ colorScheme })
    const session = await signUpByApi(bey.url, newcomer())
    const id = await store(session, 'accessible', 'canary-accessible')
    for (const path of ['/secrets', '/secrets/create', `/secrets/${id}`, `/secrets/${id}?tab=access`]) {
      await enter(page, session, path)
      await page.waitForLoadState('networkidle')
      expect(await axeFindings(page), path).toEqual([])
    }
    await page.goto(`/secrets/${id}`)
    await reasonField(page).fill('For the screen reader')
    await revealButton(page).click()
    await expect(shownValue(page)).toBeVisible()
    expect(await axeFindings(page), 'revealed').toEqual([])
  })
}
