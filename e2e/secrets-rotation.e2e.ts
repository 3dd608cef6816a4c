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

test('a secret is rotated now with an overlap, then by a schedule, which is ended again', async ({
  page,
  bey,
}) => {
  const session = await signUpByApi(bey.url, newcomer())
  const body = { name: 'relay', type: 'password', value: 'canary-old' } as const
  const { id } = await session.client.call('secrets.create', { body })
  await enter(page, session, `/secrets/${id}`)
  await page.getByRole('button', { name: 'Rotate now' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Nothing is known to use this secret.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Edit how it is made' }).click()
  await dialog.getByLabel('Characters').fill('4')
  await expect(dialog.getByText('Enter a number from 8 to 256.')).toBeVisible()
  await dialog.getByLabel('Characters').fill('40')
  await dialog.getByLabel('Symbols').uncheck()
  await dialog.getByLabel('Old version works for').selectOption('1 day')
  await dialog.getByLabel('Reason').fill('Seen in a chat')
  expect(await axeFindings(page, { within: '[role=dialog]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Rotate now' }).click()
  await expect(page.getByRole('heading', { name: 'Value of version 2' })).toBeVisible()
  const rotation = page.getByRole('region', { name: 'Rotation' })
  await expect(rotation).toContainText('Version 1 is live too')
  const read = await session.client.call('secrets.reveal', { params: { id }, body: { reason: 'Test' } })
  expect(read.value).toMatch(/^[A-Za-z2-9]{40}$/)

  await rotation.getByRole('button', { name: 'Set a schedule' }).click()
  await dialog.getByLabel('Interval in days').fill('30')
  expect(await axeFindings(page, { within: '[role=dialog]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Save schedule' }).click()
  await expect(rotation).toContainText('the server, every 30 days')
  await expect(rotation).toContainText('day 1 of 30')
  expect(await axeFindings(page, { within: '#main' })).toEqual([])
  await rotation.getByRole('button', { name: 'Change schedule' }).click()
  await dialog.getByRole('button', { name: 'End schedule' }).click()
  await expect(rotation).toContainText('no schedule')

  await page.getByRole('button', { name: 'Rotate now' }).click()
  await dialog.getByLabel('New value').selectOption('I enter it')
  await dialog.getByRole('textbox', { name: 'Password' }).fill('canary-entered')
  await dialog.getByLabel('Reason').fill('Given by the provider')
  await dialog.getByRole('button', { name: 'Rotate now' }).click()
  await expect(page.getByRole('heading', { name: 'Value of version 3' })).toBeVisible()
  const last = await session.client.call('secrets.reveal', { params: { id }, body: { reason: 'Test' } })
  expect(last.value).toBe('canary-entered')
})
