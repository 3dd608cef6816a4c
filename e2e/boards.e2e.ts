import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

test('a ready board is copied, edited by keyboard, saved, and read again', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  await enterWith(page, session.token)
  await page.goto('/analytics/dashboard')
  await expect(page.getByRole('heading', { name: 'Fleet', level: 1 })).toBeVisible()
  await expect(page.getByText('No board yet. Fleet draws itself from what is measured.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'CPU used', exact: true })).toContainText(
    'Nothing was measured',
  )
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Copy to edit' }).click()
  await expect(page.getByRole('button', { name: 'Save board' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  const panel = page.getByRole('region', { name: /^Nodes, by cluster/ })
  await panel.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(page.getByText('1 change not saved: Nodes, by cluster moved and resized')).toBeVisible()
  await expect(panel).toHaveAccessibleName(/Row 7, columns 9 to 11, 3 × 3$/)
  await page.keyboard.press('Control+z')
  await expect(panel).toHaveAccessibleName(/Row 7, columns 9 to 12, 4 × 3$/)

  const grip = panel.locator('span[data-tooltip="Drag to move"]')
  const at = await grip.boundingBox()
  if (!at) throw new Error('The panel has no grip')
  await page.mouse.move(at.x + 4, at.y + 4)
  await page.mouse.down()
  await page.mouse.move(at.x + 4, at.y + 4 + 90, { steps: 4 })
  await page.mouse.up()
  await expect(panel).toHaveAccessibleName(/Row 8, columns 9 to 12, 4 × 3$/)
  await page.keyboard.press('Control+z')
  await expect(panel).toHaveAccessibleName(/Row 7, columns 9 to 12, 4 × 3$/)
  await panel.focus()

  await page.keyboard.press('Enter')
  await page.getByLabel('Title').fill('Broken')
  await page.getByLabel('Expression').fill('sum(')
  await expect(page.getByRole('alert').first()).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Save board' }).click()
  const broken = page.getByRole('region', { name: 'Broken' })
  await expect(broken.getByText('This panel cannot be read')).toBeVisible()
  await expect(broken.getByRole('button', { name: 'Retry' })).toBeVisible()
  // The others are drawn all the same.
  await expect(page.getByRole('region', { name: 'CPU used', exact: true })).toContainText(
    'Nothing was measured',
  )

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Versions…' }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Version 1' })
    .getByRole('button', { name: 'Restore' })
    .click()
  await expect(page.getByRole('region', { name: 'Nodes, by cluster' })).toBeVisible()
})

test('an expression of the address becomes a panel of a copy', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  await enterWith(page, session.token)
  await page.goto(`/analytics/dashboard?add=${encodeURIComponent('sum(pods)')}`)
  await page.getByRole('button', { name: 'Copy and add the panel' }).click()
  await expect(page.getByText('1 change not saved: sum(pods) added')).toBeVisible()
  await expect(page.getByLabel('Expression')).toHaveValue('sum(pods)')
})
