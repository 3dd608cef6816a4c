import type { Page } from '@playwright/test'
import type { BeySession } from '../tools/api-session.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer } from './bey.ts'

const placeholder = 'Search for apps, commands, and settings...'
export const search = (page: Page) => page.getByPlaceholder(placeholder)
export const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
export const preview = (page: Page, name: string) => palette(page).getByRole('group', { name })
export const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
export const names = (page: Page) =>
  palette(page)
    .getByRole('option')
    .evaluateAll((all) => all.map((each) => each.querySelector('.font-medium')?.textContent ?? ''))

const sessions = new Map<string, Promise<BeySession>>()

/** One organization for all who do not change it: sign-ups are limited. */
function shared(url: string): Promise<BeySession> {
  const known = sessions.get(url) ?? signUpByApi(url, newcomer())
  sessions.set(url, known)
  return known
}

/** Logged in on a page, in the organization of all or in a new one. */
export async function enter(
  page: Page,
  url: string,
  { path = '/', theme = 'dark', isNew = false } = {},
): Promise<BeySession> {
  const session = await (isNew ? signUpByApi(url, newcomer()) : shared(url))
  await page.addInitScript(
    ([token, mode]) => {
      localStorage.setItem('bey-token', token ?? '')
      if (!localStorage.getItem('theme-mode')) localStorage.setItem('theme-mode', mode ?? '')
    },
    [session.token, theme],
  )
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return session
}

export async function open(page: Page): Promise<void> {
  // Shortcuts are loaded once the first page stands.
  await expect(async () => {
    if ((await palette(page).count()) === 0) await page.keyboard.press('Control+k')
    await expect(search(page)).toBeFocused({ timeout: 300 })
  }).toPass()
}

export async function cluster({ client }: BeySession, title: string): Promise<number> {
  const { id } = await client.call('clusters.create', { body: { title, provider: 'sandbox' } })
  await expect
    .poll(async () => (await client.call('clusters.get', { params: { id } })).status, { timeout: 30_000 })
    .toBe('RUNNING')
  return id
}
