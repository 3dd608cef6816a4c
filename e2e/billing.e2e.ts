import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { axeFindings } from './axe.ts'
import { expect, newcomer, signUp, test } from './bey.ts'

test('an owner sets a budget, sees what follows, changes a price and finds the events', async ({ page }) => {
  await signUp(page, newcomer())
  await page.goto('/workspaces/settings/billing')
  await expect(page.getByRole('navigation', { name: 'Billing' })).toBeVisible()
  await page.getByRole('link', { name: /^Savings/ }).click()
  await expect(page).toHaveURL(/tab=savings/)
  await expect(page.getByRole('heading', { name: /^No saving found/ })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('link', { name: /^Budgets/ }).click()
  await expect(page.getByText('No budget is set')).toBeVisible()
  await page.getByRole('button', { name: 'Set a budget' }).first().click()
  await page.getByLabel('Name').fill('All of it')
  await page.getByLabel(/^Amount a month/).fill('7200')
  await page.getByLabel('When it is exceeded').selectOption('pause_new_runs')
  await page.getByRole('button', { name: 'Set budget' }).click()
  await expect(page.getByText(/of €7,200\.00 this month/)).toBeVisible()
  await expect(page.getByText(/Clusters, databases and running runs go on/)).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('link', { name: /^Prices/ }).click()
  await page.getByLabel(/^New price of Run/).fill('0.05')
  await page.getByRole('button', { name: 'Save version 1' }).click()
  await expect(page.getByText('Version 1 of the prices was saved.')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('link', { name: /^Statements/ }).click()
  await expect(page.getByText('No statement yet')).toBeVisible()
  await page.getByRole('link', { name: 'Ledger' }).click()
  await expect(page).toHaveURL(/tab=ledger/)
  await expect(page.getByRole('table', { name: 'Events of the ledger' })).toBeVisible()
})

/** Sandboxes of a demo start, and a node is drained on one of them. */
const patience = { timeout: 90_000 }
const billing = '/workspaces/settings/billing'

async function fileOf(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  return readFileSync(await (await download).path(), 'latin1')
}

/** The sum of a column of a file of comma-separated values, in millionths. */
function sumOf(csv: string, column: string): bigint {
  const [head = '', ...lines] = csv.trim().split(/\r?\n/)
  const cells = (line: string) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) => cell)
  const at = cells(head).indexOf(column)
  return lines.reduce((sum, line) => {
    const [whole = '0', part = ''] = (cells(line)[at] ?? '0').split('.')
    return sum + BigInt(`${whole}${part.padEnd(6, '0').slice(0, 6)}`)
  }, 0n)
}

test('in a demo the month is explained down to a deployment, closed to the last digit, and made cheaper', async ({
  page,
}) => {
  test.setTimeout(240_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  await signUp(page, newcomer())
  await page.getByRole('button', { name: 'Open the demo' }).click()
  await expect(page.getByRole('region', { name: 'Demo' })).toContainText('Demo: seeded data.')

  // From the month to the events of one deployment.
  await page.goto(billing)
  await expect(page.getByText('seeded', { exact: true }).first()).toBeVisible()
  const spend = page.getByRole('table', { name: 'What it went to' })
  for (const row of ['Kubernetes', 'prod-us', 'catalog', 'Deployment/search'])
    await spend
      .getByRole('link', { name: new RegExp(`^${row}\\b`) })
      .first()
      .click()
  await expect(page).toHaveURL(/tab=ledger/)
  const events = page.getByRole('table', { name: 'Events of the ledger' })
  await expect(events.getByText('prod-us / catalog / Deployment/search').first()).toBeVisible()

  // The month before is closed, and its files add up to the ledger.
  await page.goto(`${billing}?tab=statements`)
  const close = page.getByRole('button', { name: /^Close \w+ 20\d\d$/ })
  const link = page.getByRole('link', { name: /^Statement 1/ })
  await expect(close.or(link).first()).toBeVisible()
  // A round of the server may have closed it a moment before.
  if (await close.isVisible()) await close.click()
  else await link.click()
  const proof = page.getByText(/^Equals the ledger of \w+ to the last digit: /)
  await expect(proof).toBeVisible()
  const [, total = ''] = /digit: ([\d.]+)/.exec((await proof.textContent()) ?? '') ?? []
  const millionths = BigInt(total.replace('.', ''))
  expect(sumOf(await fileOf(page, 'Statement 1 as CSV'), 'amount')).toBe(millionths)
  expect(sumOf(await fileOf(page, 'Statement 1 as FOCUS'), 'BilledCost')).toBe(millionths)
  expect((await fileOf(page, 'Statement 1 as PDF')).slice(0, 5)).toBe('%PDF-')
  expect(await axeFindings(page)).toEqual([])

  // A saving is tried, applied, shown on the chart, and taken back.
  const change = page.getByRole('link', { name: 'Show the change: prod-us has 1 node too many' })
  await expect(async () => {
    // The past of a cluster is measured once its sandbox has started.
    await page.goto(`${billing}?tab=savings`)
    await expect(change).toBeVisible()
  }).toPass(patience)
  await change.click()
  const dialog = page.getByRole('dialog')
  await expect(async () => {
    // Until its sandbox has started, the cluster cannot be asked.
    if (await dialog.getByText(/^The cluster would not take it/).isVisible()) await page.reload()
    await expect(dialog.getByText('Tried on the cluster: it would take the change.')).toBeVisible()
  }).toPass(patience)
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Apply' }).click()
  const applied = page.getByRole('list', { name: 'Applied savings' })
  await expect(applied.getByText('applied', { exact: true })).toBeVisible(patience)
  await expect(applied).toContainText(/prod-us-workers-\d was removed from prod-us\./)
  await page.goto(billing)
  const reasons = page.getByRole('list', { name: 'Applied savings in the forecast' })
  const tooEarly = page.getByText(/^A forecast needs 5 complete days/)
  await expect(reasons.or(tooEarly)).toBeVisible()
  if (await reasons.isVisible()) {
    await expect(page.getByText('saving applied', { exact: true })).toBeVisible()
    const [, before = '', after = ''] =
      /the forecast is .([\d,.]+), with them .([\d,.]+)\./.exec((await reasons.textContent()) ?? '') ?? []
    expect(Number(after.replace(',', ''))).toBeLessThan(Number(before.replace(',', '')))
  }
  expect(await axeFindings(page)).toEqual([])
  await page.goto(`${billing}?tab=savings`)
  await applied.getByRole('button', { name: 'Undo…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(applied.getByText('undone', { exact: true })).toBeVisible(patience)
})
