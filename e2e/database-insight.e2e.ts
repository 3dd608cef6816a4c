import pg from 'pg'
import type { Page } from '@playwright/test'
import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

/** What axe finds, light at the width of a desk and dark at that of a phone. */
async function seenInBothThemes(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 1280, height: 800 })
  const light = await axeFindings(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await axeFindings(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
  return [...light, ...dark]
}

test('a slow statement is found, explained and mended by the advice given, and a session that holds others up is ended', async ({
  page,
  bey,
}) => {
  test.setTimeout(180_000)
  const session = await signUpByApi(bey.url, newcomer())
  const { client } = session
  const { id } = await client.call('databases.create', { body: { provider: 'embedded', name: 'orders' } })
  const params = { id }
  const read = () => client.call('databases.get', { params })
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('available')
  const { endpoint, credential } = await read()
  const { value } = await client.call('secrets.reveal', {
    params: { id: credential?.id ?? '' },
    body: { reason: 'Test of locks' },
  })
  const connect = async (name: string) => {
    const { host, port, database, username: user } = endpoint ?? {}
    const password = typeof value === 'string' ? value : ''
    const made = new pg.Client({ host, port, database, user, password, application_name: name })
    made.on('error', () => undefined)
    await made.connect()
    return made
  }
  const shop = await connect('shop / checkout')
  await client.call('databases.measureStatements', { params })
  await shop.query(`create table orders (id int primary key, customer int, state text);
    insert into orders select n, n % 5000, 'open' from generate_series(1, 200000) n; analyze orders`)
  const findOrders = () => shop.query('select * from orders where customer = 17 order by id')
  for (let run = 0; run < 3; run += 1) await findOrders()

  await enterWith(page, session.token)
  await page.goto(`/databases/${id}?tab=statements`)
  await page.getByRole('button', { name: 'Measure now' }).click()
  const statements = page.getByRole('table', { name: 'Statements' })
  const slow = statements.getByRole('button', {
    name: 'select * from orders where customer = $1 order by id',
  })
  await slow.click()
  await page.getByRole('button', { name: 'Explain' }).click()
  await expect(page.getByRole('list', { name: 'Plan' })).toContainText('Seq Scan')
  expect(await seenInBothThemes(page)).toEqual([])

  const tabs = page.getByRole('navigation', { name: 'Parts of the database' })
  await tabs.getByText('Advice').click()
  await page.getByRole('button', { name: 'Check now' }).click()
  const advice = page.getByRole('listitem').filter({ hasText: 'Index orders by customer' })
  await expect(advice).toContainText('CREATE INDEX CONCURRENTLY ON orders (customer);')
  expect(await seenInBothThemes(page)).toEqual([])
  // The statement names the same advice, and the list is narrowed to those that have some.
  await tabs.getByText('Statements').click()
  const slowRow = statements.getByRole('row').filter({ hasText: 'where customer = $1' })
  await expect(slowRow).toContainText('1 index')
  await page.getByLabel('Issued by').selectOption({ label: `User ${endpoint?.username ?? ''}` })
  await page.getByLabel('Narrow to').selectOption({ label: 'With advice' })
  await expect(statements.locator('[data-row]')).toHaveCount(1)
  await slow.click()
  await expect(page.getByRole('region', { name: 'What to do' })).toContainText('Index orders by customer')
  await page.keyboard.press('e')
  await expect(page.getByRole('list', { name: 'Plan' })).toContainText('Seq Scan')
  expect(await seenInBothThemes(page)).toEqual([])
  await page.getByLabel('Narrow to').selectOption({ label: 'Mostly waiting: Lock' })
  await expect(page.getByText(/^User .*, Mostly waiting: Lock$/)).toBeVisible()
  await tabs.getByText('Advice').click()
  await advice.getByRole('link', { name: 'Open in SQL' }).click()
  await expect(page.getByRole('textbox', { name: 'SQL statement' })).toContainText('CREATE INDEX')
  await expect(page.getByLabel('Allow writing')).toBeChecked()
  await page.getByRole('button', { name: /^Run and change/ }).click()
  await expect(page.getByText(/^CREATE.* in /)).toBeVisible()

  await findOrders()
  await client.call('databases.measureStatements', { params })
  await tabs.getByText('Advice').click()
  await page.getByRole('button', { name: 'Check now' }).click()
  const done = page.getByRole('region', { name: 'Done, and measured again' })
  await expect(done.getByRole('listitem').filter({ hasText: 'Index orders by customer' })).toContainText(
    /ms → [\d.]+ ms, [\d.]+ × faster/,
  )

  await tabs.getByText('Locks').click()
  await expect(page.getByText('Nothing waits.')).toBeVisible()
  const holder = await connect('payments / worker')
  await holder.query("begin; update orders set state = 'paid' where id = 1")
  const waiting = shop.query("update orders set state = 'sent' where id = 1")
  await expect(page.getByText('One idle transaction holds up 1 session')).toBeVisible()
  const tree = page.getByRole('list', { name: 'Who waits for whom' })
  await expect(tree).toContainText('shop / checkout')
  expect(await seenInBothThemes(page)).toEqual([])

  // The sampling keeps a minute in which somebody waits; there one looks, and does nothing.
  await expect
    .poll(async () => (await client.call('databases.lockMinutes', { params })).minutes.length, {
      timeout: 60_000,
    })
    .toBeGreaterThan(0)
  await page.reload()
  await page.getByRole('group', { name: 'Moment' }).getByRole('radio').nth(1).check()
  await expect(page.getByText(/^One idle transaction held up 1 session/)).toBeVisible()
  await expect(tree).toContainText('payments / worker')
  await expect(page.getByText('How to end it')).toBeHidden()
  await page.getByRole('group', { name: 'Moment' }).getByRole('radio', { name: 'Now' }).check()

  // A row cancels its statement, by its button and by `c`; who is over stays struck out for a moment.
  const migrate = await connect('migrate')
  const alter = () =>
    migrate.query('alter table orders add column note text').catch((error: unknown) => error)
  const altering = alter()
  const row = tree.getByRole('listitem').filter({ hasText: 'migrate' })
  await row.getByRole('button', { name: /^Cancel the statement of \d+$/ }).click()
  expect(await altering).toMatchObject({ code: '57014' })
  await expect(row).toContainText('over')
  const again = alter()
  await row.getByRole('button', { name: 'waiting for' }).click()
  await page.keyboard.press('c')
  expect(await again).toMatchObject({ code: '57014' })
  await migrate.end()
  await page.setViewportSize({ width: 390, height: 844 })
  await tree.getByRole('button', { name: 'shop / checkout' }).click()
  const acts = page.getByRole('navigation', { name: /^Actions for session/ })
  await expect(acts.getByRole('button', { name: /^Cancel statement/ })).toBeVisible()
  await acts.getByRole('button', { name: /^End session/ }).click()
  await expect(page.getByRole('dialog').getByLabel('Reason for the audit log')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 800 })

  // The overview says the same, and ends it from there; on a phone at the thumb.
  await tabs.getByText('Overview').click()
  await expect(page.getByText(/^Idle in its transaction for .*; holds locks on orders\. /)).toBeVisible()
  const clients = page.getByRole('region', { name: 'Who connects' })
  await expect(clients.getByRole('listitem').filter({ hasText: 'payments / worker' })).toContainText('1')
  await expect(page.getByRole('region', { name: 'Capacity' })).toContainText('Proven restore')
  await expect(page.getByRole('region', { name: 'Endpoints' })).toContainText(
    `${endpoint?.host}:${endpoint?.port}`,
  )
  await tabs.getByText('Connect').click()
  await expect(clients.getByRole('listitem').filter({ hasText: 'shop / checkout' })).toBeVisible()
  await tabs.getByText('Overview').click()
  await page.setViewportSize({ width: 390, height: 844 })
  const bar = page.getByRole('navigation', { name: 'Actions for orders' })
  await expect(bar.getByRole('link', { name: 'Open the tree' })).toBeVisible()
  const whoWaits = page.getByRole('region', { name: 'Who waits' })
  await expect(whoWaits.getByRole('listitem').first()).toContainText('payments / worker')
  await expect(whoWaits.getByRole('listitem').filter({ hasText: 'shop / checkout' })).toContainText(
    '1 session',
  )
  expect(await axeFindings(page)).toEqual([])
  await bar.getByRole('button', { name: 'End session…' }).click()
  await expect(page.getByRole('dialog')).toContainText('How to end it')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1280, height: 800 })
  await tabs.getByText('Locks').click()
  await tree.getByRole('button', { name: /^End session \d+ …$/ }).click()
  await expect(page.getByLabel('Reason for the audit log')).toBeFocused()
  await page.getByRole('button', { name: /^End session \d+$/ }).click()
  await expect(page.getByText('Enter a reason for the audit log.')).toBeVisible()
  await page.getByLabel('Reason for the audit log').fill('It holds up the checkout')
  await page.getByRole('button', { name: /^End session \d+$/ }).click()
  await expect(page.getByText('Nothing waits.')).toBeVisible()
  await expect(tree.getByRole('listitem').filter({ hasText: 'payments / worker' })).toContainText('over')
  expect((await waiting).rowCount).toBe(1)
  await shop.end()
  await client.call('databases.measureStatements', { params })

  await tabs.getByText('Overview').click()
  // Seen before in this test: its statements are read again every 30 s.
  await page.reload()
  await expect(page.getByRole('img', { name: /^Load by what sessions wait for/ })).toBeVisible({
    timeout: 60_000,
  })
  await expect(page.getByRole('table', { name: 'What the load is made of' })).toContainText(
    'update orders set state = $1 where id = $2',
  )
  expect(await seenInBothThemes(page)).toEqual([])

  // A server that sleeps answers nothing; the minutes that were kept are there.
  await client.call('databases.hibernate', { params })
  await tabs.getByText('Locks').click()
  await expect(page.getByText('Sessions cannot be read now')).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText(/^One idle transaction held up/)).toBeVisible()
  expect(await seenInBothThemes(page)).toEqual([])
})
