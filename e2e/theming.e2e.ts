import type { BrowserContext, Page } from '@playwright/test'
import { presets } from '../packages/console/src/ui/theme/presets.ts'
import type { ThemeSource } from '../packages/console/src/ui/theme/presets.ts'
import { generateTheme } from '../packages/console/src/ui/theme/generate.ts'
import { rgbOf } from '../packages/console/src/ui/theme/color.ts'
import type { BeySession } from '../tools/api-session.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { expect, newcomer, test } from './bey.ts'

const appearance = '/workspaces/settings/appearance'
const kept = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)
/** The background of the page, as a screen shows it: colours come back in whatever notation they were built in. */
const ground = (page: Page) =>
  page.evaluate(() => {
    const pen = new OffscreenCanvas(1, 1).getContext('2d')
    if (!pen) throw new Error('There is no canvas to paint on.')
    pen.fillStyle = getComputedStyle(document.body).backgroundColor
    pen.fillRect(0, 0, 1, 1)
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).join(' ')
  })
const mode = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
function groundOf(source: ThemeSource): string {
  const { bg } = generateTheme(source).colors
  if (!bg) throw new Error('The theme has no ground.')
  return rgbOf(bg)
    .map((channel) => Math.round(channel * 255))
    .join(' ')
}

/** Somebody's page on the appearance settings. The token is put in once, so that a log-out lasts. */
async function enter(context: BrowserContext, url: string, session: BeySession): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript((token) => {
    if (!sessionStorage.getItem('entered')) localStorage.setItem('bey-token', token)
    sessionStorage.setItem('entered', 'true')
  }, session.token)
  await page.goto(url + appearance)
  await expect(page.getByRole('heading', { name: 'Appearance' })).toBeVisible()
  return page
}

test('a mode is kept in the browser at once and on the server a second later, and another browser has it', async ({
  page,
  context,
  browser,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const settled = page.waitForResponse((reply) => reply.url().endsWith('/api/settings'))
  await context.addInitScript((token) => localStorage.setItem('bey-token', token), session.token)
  await page.goto(appearance)
  await settled
  await expect(mode(page, 'System')).toBeChecked()
  const put = page.waitForRequest((request) => request.method() === 'PUT')
  const changedAt = Date.now()
  await mode(page, 'Dark').check()
  expect(await kept(page, 'theme-mode')).toBe('dark')
  const request = await put
  expect(Date.now() - changedAt).toBeGreaterThanOrEqual(1000)
  expect(new URL(request.url()).pathname).toBe('/api/settings')
  expect(request.postDataJSON()).toEqual({
    theme: {
      themeMode: 'dark',
      baseColor: presets.dark.base,
      accentColor: presets.dark.accent,
      contrast: 33,
      animationsEnabled: true,
      denseMode: false,
    },
  })
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()

  const other = await browser.newContext({ colorScheme: 'light' })
  const elsewhere = await enter(other, bey.url, session)
  await expect(mode(elsewhere, 'Dark')).toBeChecked()
  expect(await ground(elsewhere)).toBe(groundOf(presets.dark))
  await other.close()
})

test('changing base colour, accent colour or contrast switches to custom, and the ratios are printed', async ({
  page,
  context,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.close()
  const own = await enter(context, bey.url, session)
  for (const [group, slider, key] of [
    ['Base colour', 'Lightness', 'base-color'],
    ['Accent colour', 'Hue', 'accent-color'],
    ['Contrast', 'Amount', 'contrast'],
  ] as const) {
    await mode(own, 'Light').check()
    const before = await kept(own, key)
    await own.getByRole('group', { name: group }).getByRole('slider', { name: slider }).press('ArrowLeft')
    await expect(mode(own, 'Custom')).toBeChecked()
    expect(await kept(own, key)).not.toBe(before)
    expect(await kept(own, 'theme-mode')).toBe('custom')
  }
  // By keyboard alone, to a ground on which no text could read: it is moved until some does.
  const lightness = own.getByRole('group', { name: 'Base colour' }).getByLabel('Lightness as a number')
  await lightness.fill('46')
  await expect(mode(own, 'Custom')).toBeChecked()
  for (const label of ['Text', 'Secondary text', 'Accent label', 'Accent text', 'Focus ring']) {
    const row = own.getByLabel('Preview').locator('dl > div').filter({ hasText: label }).first()
    const [, ratio = '0', least = '99'] =
      (await row.innerText()).replaceAll('\n', ' ').match(/([\d.]+):1 at least ([\d.]+)/) ?? []
    expect(Number(ratio), label).toBeGreaterThanOrEqual(Number(least))
  }
})

test('every preset is shown as it is made, and its code brings it to somebody else', async ({
  page,
  context,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.close()
  const own = await enter(context, bey.url, session)
  for (const [name, source] of [
    ['Dark', presets.dark],
    ['Light', presets.light],
    ['GitHub', presets.github],
    ['Vercel', presets.vercel],
    ['Tailwind', presets.tailwind],
  ] as const) {
    const preset = own.getByRole('group', { name: 'Presets' }).getByRole('button', { name })
    await preset.click()
    await expect(preset).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => ground(own), name).toBe(groundOf(source))
  }
  const code = await own.getByLabel('Code of this theme').inputValue()
  await mode(own, 'Light').check()
  await expect.poll(() => ground(own)).toBe(groundOf(presets.light))
  const field = own.getByLabel('Use the code of another theme')
  for (const [nonsense, sentence] of [
    ['purple please', 'This is not the code of a theme.'],
    [code.slice(0, -1), 'This code is incomplete or mistyped.'],
  ] as const) {
    await field.fill(nonsense)
    await own.getByRole('button', { name: 'Apply' }).click()
    await expect(own.getByRole('alert').filter({ hasText: sentence })).toBeVisible()
    expect(await ground(own)).toBe(groundOf(presets.light))
  }
  await field.fill(code)
  await field.press('Enter')
  await expect(own.getByText('The theme is applied.')).toBeVisible()
  await expect.poll(() => ground(own)).toBe(groundOf(presets.tailwind))
})

test('a custom theme is there at the first paint, in the shell and on the login page', async ({
  page,
  context,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.close()
  const own = await enter(context, bey.url, session)
  await own.getByRole('button', { name: 'Vercel' }).click()
  await expect.poll(() => kept(own, 'bey-theme-tokens')).toContain('--bg')
  // Nothing of the console itself is let through: what is painted is painted before it.
  await own.route('**/assets/*.js', () => undefined)
  for (const path of ['/', '/login']) {
    await own.goto(bey.url + path, { waitUntil: 'commit' })
    await own.locator('#root').waitFor({ state: 'attached' })
    expect(await ground(own), path).toBe(groundOf(presets.vercel))
  }
})

test('other tabs follow, and system follows the device while it is open', async ({ page, context, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.close()
  const one = await enter(context, bey.url, session)
  const two = await enter(context, bey.url, session)
  await one.getByRole('button', { name: 'Tailwind' }).click()
  await expect.poll(() => ground(two)).toBe(groundOf(presets.tailwind))
  await expect(mode(two, 'Custom')).toBeChecked()
  await two.getByLabel('Dense rows').check()
  await expect(one.getByLabel('Dense rows')).toBeChecked()
  await two.getByLabel('Animations').uncheck()
  await expect(one.getByLabel('Animations')).not.toBeChecked()
  expect([await kept(one, 'dense-mode'), await kept(one, 'animations-enabled')]).toEqual(['true', 'false'])
  await mode(one, 'System').check()
  for (const scheme of ['dark', 'light'] as const) {
    await one.emulateMedia({ colorScheme: scheme })
    await expect.poll(() => ground(one)).toBe(groundOf(presets[scheme]))
  }
  // Without motion every text changes in the same frame, however deep it lies.
  await one.emulateMedia({ colorScheme: 'light' })
  const isDeepAsBody = one.evaluate(async () => {
    const color = (element: Element) => getComputedStyle(element).color
    const before = color(document.body)
    const [link] = [...document.querySelectorAll('main *')]
      .filter((element) => color(element) === before)
      .slice(-1)
    if (!link) throw new Error('No text has the color of the body.')
    while (color(document.body) === before) await new Promise((done) => requestAnimationFrame(done))
    return color(link) === color(document.body)
  })
  await one.emulateMedia({ colorScheme: 'dark' })
  expect(await isDeepAsBody).toBe(true)
})

test('a theme that cannot be read is shown light, and one that cannot be saved says why and is tried again', async ({
  page,
  context,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  await page.close()
  const warnings: string[] = []
  const own = await enter(context, bey.url, session)
  own.on('console', (message) => warnings.push(message.text()))
  await own.emulateMedia({ colorScheme: 'dark' })
  await own.evaluate(() => localStorage.setItem('contrast', 'much'))
  await own.evaluate(() => localStorage.setItem('theme-mode', 'sepia'))
  await own.reload()
  await expect(mode(own, 'Light')).toBeChecked()
  expect(await ground(own)).toBe(groundOf(presets.light))

  await own.route('**/api/settings', (route) =>
    route.request().method() === 'PUT' ? route.abort('connectionrefused') : route.fallback(),
  )
  await mode(own, 'Dark').check()
  await expect(own.getByText(/^Not saved: /)).toBeVisible()
  expect(await own.getByRole('status').filter({ hasText: 'Not saved' }).count()).toBe(1)
  await expect.poll(() => warnings.some((text) => text.includes('The theme could not be saved'))).toBe(true)
  await own.unroute('**/api/settings')
  await own.getByRole('button', { name: 'Retry' }).click()
  await expect(own.getByText('Saved', { exact: true })).toBeVisible()
  const { theme } = await session.client.call('settings.get', {})
  expect(theme.themeMode).toBe('dark')
})

test('name, time zone and formats are one’s own, and a new password ends the other sessions', async ({
  page,
  context,
  bey,
}) => {
  const person = newcomer()
  const session = await signUpByApi(bey.url, person)
  const login = () =>
    fetch(`${bey.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password: person.password }),
    })
  await login()
  await page.close()
  const own = await enter(context, bey.url, session)
  await own.goto(`${bey.url}/profile`)
  const form = own.getByRole('region', { name: 'Name' })
  await form.getByLabel('Name').fill('Augusta King')
  await form.getByRole('button', { name: 'Save name' }).click()
  await expect(own.getByRole('button', { name: /Augusta King/ })).toBeVisible()

  const times = own.getByRole('region', { name: 'Time and date' })
  await times.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await times.getByLabel('Dates').selectOption('2026-11-21')
  await expect(times.getByText(/^Now: \d{4}-\d\d-\d\d, \d\d:\d\d:\d\d (GMT\+9|JST)$/)).toBeVisible()
  await expect(times.getByText('Saved', { exact: true })).toBeVisible()
  expect((await session.client.call('settings.get', {})).time).toEqual({
    timeZone: 'Asia/Tokyo',
    dateFormat: 'iso',
    hourCycle: '24',
  })

  const password = own.getByRole('region', { name: 'Password' })
  const change = password.getByRole('button', { name: 'Change password' })
  await password.getByLabel('Current password').fill('not-it-1!')
  await password.getByLabel('New password', { exact: true }).fill('analytical-2!')
  await password.getByLabel('Confirm new password').fill('analytical-3!')
  await expect(password.getByText("✗ Passwords don't match")).toBeVisible()
  await expect(change).toBeDisabled()
  await password.getByLabel('Confirm new password').fill('analytical-2!')
  await change.click()
  await expect(password.getByText('This is not your current password.')).toBeVisible()
  await password.getByLabel('Current password').fill(person.password)
  await change.click()
  await expect(password.getByText('Changed. 1 other session was ended.')).toBeVisible()
  expect((await login()).status).toBe(400)
})

test('on a phone the preview stays in sight of what one changes, and covers nothing that has the focus', async ({
  context,
  bey,
}) => {
  const page = await enter(context, bey.url, await signUpByApi(bey.url, newcomer()))
  await page.setViewportSize({ width: 390, height: 844 })
  const preview = page.getByRole('complementary', { name: 'Preview' }).getByText('api-gateway')
  const contrast = page.getByRole('group', { name: 'Contrast' }).getByLabel('Amount', { exact: true })
  await contrast.focus()
  await expect(preview).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('ArrowRight')
  await expect(mode(page, 'Custom')).toBeChecked()
  // Back to the top by key: what takes the focus comes out from under the preview.
  const swatch = page.getByRole('group', { name: 'Base colour' }).getByRole('button').first()
  await page.getByRole('heading', { name: 'Share' }).scrollIntoViewIfNeeded()
  await swatch.focus()
  const top = await swatch.evaluate((element) => element.getBoundingClientRect().top)
  const bottom = await preview.evaluate((element) => element.getBoundingClientRect().bottom)
  expect(top).toBeGreaterThan(bottom)
})
