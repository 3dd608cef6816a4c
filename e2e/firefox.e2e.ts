import { existsSync } from 'node:fs'
import { logInByApi } from '../tools/api-session.ts'
import { keys, openFirefox } from './bidi.ts'
import type { FirefoxPage } from './bidi.ts'
import { expect, newcomer, test } from './bey.ts'

/** `BEY_FIREFOX`, else where systems put it; undefined where there is none. */
function findFirefox(): string | undefined {
  const asked = process.env['BEY_FIREFOX']
  if (asked && !existsSync(asked)) throw new Error(`BEY_FIREFOX is ${asked}, and there is no such file.`)
  return [
    asked,
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/snap/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  ].find((path) => path !== undefined && existsSync(path))
}

const firefox = findFirefox()
const note = (description: string) => test.info().annotations.push({ type: 'note', description })

test('the main job, live updates and the palette in Firefox', async ({ bey }) => {
  if (firefox === undefined) {
    note('Firefox was not tried: none was found. Install one, or set BEY_FIREFOX to its path.')
    return
  }
  const page = await openFirefox(firefox, { width: 1280, height: 800 })
  note(`Tried in ${page.browser}.`)
  const ada = newcomer()
  try {
    await test.step('a stranger signs up', async () => {
      await page.goto(`${bey.url}/signup`)
      for (const [label, value] of [
        ['Name', ada.name],
        ['Organization Name', ada.organization],
        ['Email', ada.email],
        ['Password', ada.password],
        ['Confirm Password', ada.password],
      ] as const) {
        await focusField(page, label)
        await page.type(value)
      }
      await page.click('button', 'Create Account')
      await expectText(page, 'h1', /^Dashboard$/)
      await expectText(page, 'header', /live/)
    })

    await test.step('creates a cluster and watches it come', async () => {
      await page.click('link', 'Create cluster')
      await expectText(page, 'h1', /^Create cluster$/)
      await focusField(page, 'Title')
      await page.type('prod-eu-1')
      await page.press(keys.enter)
      await expect.poll(() => pathOf(page)).toMatch(/^\/kubernetes\/clusters\/\d+$/)
      await expectText(page, 'h1', /^prod-eu-1$/)
      await expectText(page, '#main', /running/)
      await page.click('link', 'Nodes')
      await expectText(page, '[data-table]', /prod-eu-1/)
    })

    const { client } = await logInByApi(bey.url, ada)
    await test.step('sees within a moment what somebody else does', async () => {
      await page.press('g')
      await page.press('c')
      await expectText(page, 'h1', /^Clusters$/)
      await expectText(page, '[data-table]', /prod-eu-1/)
      await page.evaluate(() => void Object.assign(window, { isTheSamePage: true }))
      const { id } = await client.call('clusters.create', {
        body: { title: 'staging-eu-1', provider: 'sandbox' },
      })
      await expectText(page, '[data-table]', /staging-eu-1[^]*running/)
      await client.call('clusters.delete', { params: { id } })
      await expectText(page, '[data-table]', /^(?!.*staging-eu-1)[^]*prod-eu-1/s)
      expect(await page.evaluate(() => 'isTheSamePage' in window)).toBe(true)
    })

    await test.step('goes on by the palette', async () => {
      await page.press(keys.control, 'k')
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('role') ?? ''))
        .toBe('combobox')
      await page.type('prod-eu')
      await expectText(page, '[role="option"]', /prod-eu-1/)
      await page.press(keys.enter)
      await expect.poll(() => pathOf(page)).toMatch(/^\/kubernetes\/clusters\/\d+/)
      await expectText(page, 'h1', /^prod-eu-1$/)
    })

    await test.step('deletes the cluster by its name', async () => {
      await page.press('g')
      await page.press('c')
      await expectText(page, 'h1', /^Clusters$/)
      await page.click('button', 'Actions for prod-eu-1')
      await page.click('menuitem', 'Delete')
      await expectText(page, '[role="dialog"],[role="alertdialog"]', /Are you sure/)
      await focusTextOfDialog(page)
      await page.type('prod-eu-1')
      await page.click('button', 'Delete cluster')
      await expectText(page, '#main', /^(?!.*prod-eu-1)/s)
    })
  } finally {
    await page.close()
  }
})

/** Puts the focus into the field with this label. */
async function focusField(page: FirefoxPage, label: string): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate((text) => {
        const found = [...document.querySelectorAll('label')].find((each) => each.textContent.trim() === text)
        found?.control?.focus()
        return found?.control !== undefined && document.activeElement === found?.control
      }, label),
    )
    .toBe(true)
}

async function focusTextOfDialog(page: FirefoxPage): Promise<void> {
  await page.evaluate(() => document.querySelector<HTMLElement>('[role*="dialog"] input')?.focus())
}

const pathOf = (page: FirefoxPage) => page.evaluate(() => location.pathname)

/** Waits until the text of the first element that matches reads so. */
async function expectText(page: FirefoxPage, selector: string, text: RegExp): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(
          (query) => document.querySelector<HTMLElement>(query)?.innerText.trim() ?? '',
          selector,
        ),
      { timeout: 30_000, message: `${selector} reads ${String(text)}` },
    )
    .toMatch(text)
}
