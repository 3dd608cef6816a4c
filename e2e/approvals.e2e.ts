import type { Page } from '@playwright/test'
import { addMember } from '../packages/server/src/testing/add-member.ts'
import { logInByApi, signUpByApi } from '../tools/api-session.ts'
import { embeddedDatabaseUrl } from '../tools/seed-metrics.ts'
import { withRunRows } from '../tools/seed-runs.ts'
import { axeFindings } from './axe.ts'
import { expect, newcomer, test } from './bey.ts'

/** Nothing for axe in light and dark, and nothing wider than a phone. */
async function expectSound(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await axeFindings(page, { within: '#main' })).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  expect(await axeFindings(page, { within: '#main' })).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
}

test('an approval is decided beside the steps of its run, and a member who may not decide sends a reminder', async ({
  page,
  bey,
}) => {
  const image = 'registry.example.com/team-shop/shop:2.14.0-rc.3'
  const approval = {
    question: `Roll out ${image} to prod-eu-1?`,
    facts: [{ name: 'Replaces', value: 'registry.example.com/team-shop/shop:2.13.2' }],
    plan: ' containers:\n-  image: shop:2.13.2\n+  image: shop:2.14.0-rc.3',
    role: 'ADMIN',
  }
  const session = await signUpByApi(bey.url, newcomer())
  const step = { key: 'approve', name: 'Approve', type: 'approval', status: 'waiting', began: 60, approval }
  const databaseUrl = embeddedDatabaseUrl(bey.dataDir)
  const path = await withRunRows(databaseUrl, session.organizationId, async (rows) => {
    const workflowId = await rows.workflow('Ship the shop')
    const id = await rows.run({ workflowId, status: 'waiting', began: 60, steps: [step] })
    return `/workflows/${workflowId}/runs/${id}`
  })
  const person = newcomer('Elsewhere')
  await signUpByApi(bey.url, person)
  await addMember(bey.dataDir, { ...person, organizationId: session.organizationId, role: 'MEMBER' })
  const { token } = await logInByApi(bey.url, person)
  const card = page.getByRole('region', { name: 'Approval', exact: true })

  await test.step('a member sees why not, whom it waits for, and reminds them once', async () => {
    await page.addInitScript((value) => localStorage.setItem('bey-token', value), token)
    await page.goto(path)
    await expect(card.getByRole('heading', { name: approval.question })).toBeVisible()
    await expect(card.getByRole('button', { name: 'Approve' })).toHaveAttribute('aria-disabled', 'true')
    await expect(card.getByRole('paragraph').filter({ hasText: 'You may not decide.' })).toBeVisible()
    await expect(card.getByText('1 can decide: Ada Lovelace.')).toBeVisible()
    await card.getByRole('button', { name: 'Remind' }).click()
    await expect(card.getByText(/Reminded (just now|\d+ s ago)\./)).toBeVisible()
    await expect(card.getByRole('button', { name: 'Remind' })).toHaveAttribute('aria-disabled', 'true')
    await expectSound(page)
    // Elsewhere a quiet link leads to it.
    await page.goto(`${path}?tab=log`)
    await expect(page.getByRole('link', { name: 'View approval' })).toBeVisible()
  })

  await test.step('an approver sees who sent the reminder, and decides without leaving the run', async () => {
    await page.addInitScript((value) => localStorage.setItem('bey-token', value), session.token)
    await page.goto(path)
    const { notifications } = await session.client.call('notifications.list', { query: {} })
    expect(notifications[0]?.detail).toMatch(/ reminds you: Ship the shop waits for your decision\.$/)
    await expect(card.getByText('1 added, 1 removed')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Review approval' })).toHaveCount(0)
    await expectSound(page)
    await card.getByRole('button', { name: 'Reject' }).click()
    await expect(card.getByText('Say why you reject it.').first()).toBeVisible()
    await card.getByLabel('Reason').fill('Not today.')
    await card.getByRole('button', { name: 'Reject' }).click()
    // Rows alone are no run that goes on: its step stays, with what was decided.
    await expect(card.getByText('Ada Lovelace rejected it already.')).toBeVisible()
    await expect(card.getByText('Not today.')).toBeVisible()
    await expect(card.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  })
})
