import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

test('an alert is written, has no data, is silenced with a reason, and is deleted', async ({ page, bey }) => {
  const session = await signUpByApi(bey.url, newcomer())
  await enterWith(page, session.token)
  await page.goto('/analytics/alerts')
  await expect(page.getByRole('heading', { name: 'No alerts yet' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.goto('/analytics/alerts/create?expr=connections')
  await expect(page.getByLabel('Expression')).toHaveValue('connections')
  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(page.getByText('Enter a name for the alert.')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Connections')
  await page.getByLabel('Limit').fill('80')
  await expect(page.getByText('The expression selects nothing that was measured in 7 days.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Create alert' }).click()

  await expect(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible()
  await expect(page.getByText('It has not fired yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Silence…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Silence', exact: true }).click()
  await expect(dialog.getByText('Enter why the alert is silenced.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Repair of the server')
  await dialog.getByRole('button', { name: 'Silence', exact: true }).click()
  await expect(page.getByText('Repair of the server')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.goto('/analytics/alerts')
  const rows = page.getByRole('table', { name: 'Alerts' }).getByRole('row')
  await expect(rows.filter({ hasText: 'above 80 for 5 min' })).toHaveCount(1)
  await rows.getByRole('link', { name: /^Connections/ }).focus()
  await page.keyboard.press('s')
  await expect(page.getByRole('dialog').getByLabel('Reason')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Actions for Connections' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete alert' }).click()
  await expect(page.getByRole('heading', { name: 'No alerts yet' })).toBeVisible()
})

test('on a phone the acts of an alert are at the lower edge', async ({ page, bey }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const session = await signUpByApi(bey.url, newcomer())
  const alert = await session.client.call('alerts.create', {
    body: {
      name: 'Connections',
      expr: 'connections',
      condition: { kind: 'threshold', direction: 'above', limit: 80 },
      forMs: 0,
    },
  })
  await enterWith(page, session.token)
  await page.goto(`/analytics/alerts/${alert.id}`)
  const bar = page.getByRole('navigation', { name: 'Actions for Connections' })
  await expect(bar.getByRole('link', { name: 'Edit' })).toBeVisible()
  const box = await bar.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844)
  expect(await axeFindings(page)).toEqual([])
  await bar.getByRole('button', { name: 'More actions for Connections' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await page.keyboard.press('Escape')
  await bar.getByRole('button', { name: 'Silence' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Repair of the server')
  await page.getByRole('dialog').getByRole('button', { name: 'Silence', exact: true }).click()
  await expect(bar.getByRole('button', { name: 'End the silence' })).toBeVisible()
})
