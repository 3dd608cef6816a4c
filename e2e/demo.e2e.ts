import type { Page } from '@playwright/test'
import { axeFindings } from './axe.ts'
import { expect, newcomer, signUp, test } from './bey.ts'

test.setTimeout(240_000)
/** Three sandboxes start, and programs become ready again one after another. */
const patience = { timeout: 90_000 }
const guideOf = (page: Page) => page.getByRole('region', { name: 'Incident guide' })

test('a newcomer opens the demo, solves its incident by mouse, and removes all of it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signUp(page, newcomer('Nordlicht'))
  const doors = ['Solve an incident', 'Watch a cluster come up', 'Bring your own']
  for (const name of doors) await expect(page.getByRole('region', { name })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Open the demo' }).click()
  await expect(page.getByRole('region', { name: 'Demo' })).toContainText('Demo: seeded data.')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(
    '3 workloads failing in prod-eu',
    patience,
  )
  const guide = guideOf(page)
  await expect(guide).toContainText('What fails?')
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('link', { name: 'Why? search' }).click()
  await expect(page.getByText('It began with revision 3').first()).toBeVisible()
  await expect(guide).toContainText('Incident, 3 of 5')
  await guide.getByRole('link', { name: 'Show me' }).click()
  await expect(page.getByText(/index\.shards is missing/).first()).toBeVisible(patience)
  await expect(guide).toContainText('What changed just before?')
  await guide.getByRole('link', { name: 'Show me' }).click()
  await expect(page.getByText(/Teo Marsh/).first()).toBeVisible()
  await expect(guide).toContainText('Put it right.')
  await guide.getByRole('link', { name: 'Show me' }).click()
  await page.getByRole('button', { name: 'Roll back to revision 2' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back to 5.0.5' }).click()
  await expect(guide).toContainText(/Solved: healthy again after \d+ s/, patience)
  await guide.getByRole('link', { name: 'Break something else' }).click()
  await expect(page.getByRole('heading', { name: 'Break something' })).toBeVisible()

  await page.getByRole('button', { name: 'Remove the demo' }).click()
  await expect(page.getByText('The demo is removed, with everything in it.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Demo' })).toHaveCount(0)
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Open the demo' })).toBeVisible()
})

test('on a phone the incident is solved by keyboard alone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signUp(page, newcomer('Nordlicht'))
  const press = async (
    name: string | RegExp,
    role: 'button' | 'link',
    within?: Page | ReturnType<Page['getByRole']>,
  ) => {
    const target = (within ?? page).getByRole(role, { name }).first()
    await expect(target).toBeVisible(patience)
    await target.focus()
    await page.keyboard.press('Enter')
  }
  await press('Open the demo', 'button')
  await press('Why? search', 'link')
  await expect(guideOf(page)).toContainText('Incident, 3 of 5', patience)
  await expect(page.getByRole('button', { name: 'Roll back to revision 2' }).first()).toBeVisible(patience)
  expect(await axeFindings(page)).toEqual([])
  await press('Roll back to revision 2', 'button')
  await press('Roll back to 5.0.5', 'button', page.getByRole('dialog'))
  await expect(guideOf(page)).toContainText(/Solved: healthy again after \d+ s/, patience)
  await press('Remove the demo', 'button')
  await expect(page.getByText('The demo is removed, with everything in it.')).toBeVisible(patience)
})
