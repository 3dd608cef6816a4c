import type { Locator, Page } from '@playwright/test'
import { axeFindings } from './axe.ts'
import { expect, newcomer, signUp, test } from './bey.ts'

test.setTimeout(240_000)
/** Three sandboxes start, and programs become ready again one after another. */
const patience = { timeout: 90_000 }
const guideOf = (page: Page) => page.getByRole('region', { name: 'Incident guide' })

/** How a person uses a button or link: by clicking it, or by walking to it with the Tab key alone. */
const inputs = {
  mouse: (target: Locator) => target.click(patience),
  async keyboard(target: Locator) {
    await expect(target).toBeVisible(patience)
    const isFocused = () => target.evaluate((element) => element === document.activeElement)
    await expect(async () => {
      for (let stops = 0; stops < 150 && !(await isFocused()); stops += 1)
        await target.page().keyboard.press('Tab')
      expect(await isFocused()).toBe(true)
    }).toPass(patience)
    await target.page().keyboard.press('Enter')
  },
}

const journeys = [
  { input: 'mouse', width: 1440, height: 900, colorScheme: 'light' },
  { input: 'keyboard', width: 1440, height: 900, colorScheme: 'dark' },
  { input: 'mouse', width: 390, height: 844, colorScheme: 'dark' },
  { input: 'keyboard', width: 390, height: 844, colorScheme: 'light' },
] as const

for (const { input, width, height, colorScheme } of journeys) {
  const use = inputs[input]
  const isFirst = input === 'mouse' && width === 1440
  test(`a newcomer solves the incident of the demo by ${input} alone, ${width} px wide and ${colorScheme}, and removes it`, async ({
    page,
  }) => {
    if (isFirst) test.setTimeout(480_000)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height })
    await signUp(page, newcomer('Nordlicht'))
    const doors = ['Solve an incident', 'Watch a cluster come up', 'Bring your own']
    for (const name of doors) await expect(page.getByRole('region', { name })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])

    await use(page.getByRole('button', { name: 'Open the demo' }))
    await expect(page.getByRole('region', { name: 'Demo' })).toContainText('Demo: seeded data.')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(
      '3 workloads failing in prod-eu',
      patience,
    )
    const guide = guideOf(page)
    await expect(guide).toContainText('What fails?')
    expect(await axeFindings(page)).toEqual([])

    await use(
      page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: /^failing search/ }),
    )
    await expect(page.getByText('It began with revision 3').first()).toBeVisible(patience)
    if (width < 500) await expectCauseFirst(page)
    await expect(guide).toContainText('Incident, 3 of 5')
    await use(guide.getByRole('link', { name: 'Show me' }))
    await expect(page.getByText(/index\.shards is missing/).first()).toBeVisible(patience)
    await expect(guide).toContainText('What changed just before?')
    await use(guide.getByRole('link', { name: 'Show me' }))
    await expect(page.getByText(/Teo Marsh/).first()).toBeVisible(patience)
    await expect(guide).toContainText('Put it right.')
    await use(guide.getByRole('link', { name: 'Show me' }))
    const rollBack = page.getByRole('button', { name: 'Roll back to revision 2' }).first()
    await expect(rollBack).toBeVisible(patience)
    expect(await axeFindings(page)).toEqual([])
    await use(rollBack)
    await use(page.getByRole('dialog').getByRole('button', { name: 'Roll back to 5.0.5' }))
    await expect(guide).toContainText(/Solved: healthy again after \d+ s/, patience)
    expect(await axeFindings(page)).toEqual([])

    if (isFirst) await breakEverythingElse(page)
    if (width < 500) await expectRoomForStatus(page)
    await use(page.getByRole('button', { name: 'Remove the demo' }))
    await expect(page.getByText('The demo is removed, with everything in it.')).toBeVisible(patience)
    await expect(page.getByRole('region', { name: 'Demo' })).toHaveCount(0)
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'Open the demo' })).toBeVisible()
  })
}

const boxOf = async (target: Locator) => {
  const box = await target.boundingBox()
  if (!box) throw new Error('It is not drawn.')
  return box
}

/** On a phone the demo's banner is one line, and what is wrong stands above what to do. */
async function expectCauseFirst(page: Page): Promise<void> {
  expect((await boxOf(page.getByRole('region', { name: 'Demo' }))).height).toBeLessThan(56)
  const [why, what] = [await headingY(page, 'Why is it failing?'), await headingY(page, 'What to do')]
  expect(why).toBeLessThan(what)
}

const headingY = async (page: Page, name: string) => (await boxOf(page.getByRole('heading', { name }))).y

/** On a phone a status such as CrashLoopBackOff is not covered by the menu of its row. */
async function expectRoomForStatus(page: Page): Promise<void> {
  const cluster = /\/kubernetes\/clusters\/\d+/.exec(page.url())?.[0]
  await page.goto(`${cluster}/pods`)
  const menu = await boxOf(
    page
      .getByRole('row')
      .getByRole('button', { name: /^Actions for / })
      .first(),
  )
  const status = await boxOf(page.getByRole('columnheader', { name: 'Status' }))
  expect(menu.x - status.x).toBeGreaterThan(128)
  await page.goto('/')
}

/** Each fault, and the row by which the console notices it. */
const signs: Record<string, { row: RegExp; on?: 'pods' } | null> = {
  'Crash loop': { row: /payments.*(CrashLoopBackOff|Error|Restarted).*chaos/ },
  'Bad image': { row: /search.*(ImagePullBackOff|ErrImagePull).*chaos/ },
  'Out of memory': { row: /recommender.*(OOMKilled|CrashLoopBackOff).*chaos/ },
  'Pod that fits nowhere': { row: /warehouse.*Unschedulable.*chaos/ },
  // The dashboard gives programs two minutes to become ready.
  'Never ready': { row: /catalog.*chaos.*0\/1/, on: 'pods' },
  'Volume nearly full': { row: /ledger.*NearlyFull.*chaos/ },
  'Certificate about to expire': { row: /storefront-tls.*chaos/ },
  'Node down': { row: /prod-eu-workers-\d.*it stopped reporting/ },
  'Full disk': { row: /prod-eu-workers-\d.*DiskPressure/ },
  // Fails nothing: lists are watched.
  'Slow API': null,
}

/** From the end of the guide: applies every fault that there is, finds each in the console, and ends it. */
async function breakEverythingElse(page: Page): Promise<void> {
  await guideOf(page).getByRole('link', { name: 'Break something else' }).click()
  const list = page.getByRole('region', { name: 'Break something' }).getByRole('listitem')
  await expect(list).toHaveCount(Object.keys(signs).length)
  expect(await list.getByRole('heading').allTextContents()).toEqual(Object.keys(signs))
  const faultsPath = new URL(page.url()).pathname
  const apply = async (titles: readonly string[]) => {
    await page.goto(faultsPath)
    for (const title of titles) await page.getByRole('button', { name: `Apply ${title}` }).click()
    for (const title of titles) await expect(page.getByRole('button', { name: `End ${title}` })).toBeVisible()
  }
  const notice = async (titles: readonly string[], on?: 'pods') => {
    await page.goto(on === 'pods' ? faultsPath.replace(/faults$/, 'pods?q=catalog') : '/')
    for (const title of titles) {
      const sign = signs[title]
      if (!sign || sign.on !== on) continue
      const rows =
        on === 'pods'
          ? page.getByRole('row')
          : page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
      await expect(async () => {
        const more = page.getByRole('button', { name: /^\d+ more: / })
        if (await more.isVisible()) await more.click()
        await expect(rows.filter({ hasText: sign.row }).first(), title).toBeVisible()
      }).toPass(patience)
    }
  }
  // A machine that is off takes pods of the others with it.
  const machines = ['Node down', 'Full disk', 'Slow API']
  const others = Object.keys(signs).filter((title) => !machines.includes(title))
  await apply(others)
  await notice(others)
  await notice(others, 'pods')
  await apply(machines)
  await notice(machines)
  await page.goto(faultsPath)
  for (const title of Object.keys(signs)) await page.getByRole('button', { name: `End ${title}` }).click()
  await expect(page.getByText('No fault is active')).toBeVisible(patience)
  await page.goto('/')
  const attention = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem')
  await expect(page.getByRole('region', { name: 'All services' })).toBeVisible(patience)
  await expect(attention.filter({ hasText: /chaos|it stopped reporting|DiskPressure/ })).toHaveCount(
    0,
    patience,
  )
}
