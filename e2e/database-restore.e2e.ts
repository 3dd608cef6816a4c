import { axeFindings } from './axe.ts'
import { enterWith, expect, test } from './bey.ts'
import { givenDatabase } from './given-database.ts'

test('a table is dropped: the page proposes the second before, and only this table comes back with its rows', async ({
  page,
  bey,
}) => {
  test.setTimeout(300_000)
  const { session, client, id, params, execute } = await givenDatabase(bey, 'catalog')
  const answer = async (statement: string) =>
    (await client.call('databases.query', { params, body: { statement } })).rows
  await execute('create table price_rules (n int primary key)')
  await execute('create table prices (n int primary key)')
  await execute('insert into price_rules select generate_series(1, 482)')
  await client.call('databases.backups.create', { params })
  await expect
    .poll(async () => (await client.call('databases.window', { params })).ranges.length, { timeout: 90_000 })
    .toBe(1)
  await execute('insert into price_rules values (483)')
  const written = Date.now()
  // What is proposed is the whole second before the drop.
  await expect.poll(() => Date.now()).toBeGreaterThan(written + 2_000)
  await execute('drop table price_rules')
  await execute('insert into prices values (1)')

  await enterWith(page, session.token)
  await page.goto(`/databases/${id}`)
  await page.getByRole('link', { name: 'Restore…' }).click()
  await expect(page.getByText(/^price_rules was dropped at /)).toBeVisible()
  await expect(page.getByRole('radio', { name: /before DROP TABLE price_rules/ })).toBeChecked()
  await page.getByRole('radio', { name: /^Only price_rules into catalog/ }).check()
  await expect(page.getByRole('combobox', { name: 'Table' })).toHaveValue('price_rules')
  await expect(page.getByText('It is not there now, and comes back under its own name')).toBeVisible()
  await expect(page.getByRole('region', { name: 'The same on the command line' })).toContainText(
    /bey databases restore catalog .*--at \S+ .*--table price_rules/s,
  )
  expect(await axeFindings(page)).toEqual([])
  const screen = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('slider', { name: 'Minute to restore, of the last 24 hours' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  if (screen !== null) await page.setViewportSize(screen)
  await page.getByRole('button', { name: /^Restore the table to / }).click()
  await expect(page).toHaveURL(/\/workflows\/.+\/runs\//)
  const table = async () =>
    (await client.call('databases.restores.list', { params, query: { kind: 'table' } })).restores
  await expect.poll(async () => (await table())[0]?.status, { timeout: 90_000 }).toBe('completed')
  expect((await table())[0]?.table).toMatchObject({ into: 'price_rules', replaces: false, rows: 483 })
  expect(await answer('select count(*)::text from price_rules')).toEqual([['483']])
  expect(await answer('select count(*)::text from prices')).toEqual([['1']])

  // One that is there has its rows replaced once its name is typed.
  await execute('delete from price_rules where n > 10')
  await page.goto(
    `/databases/${id}/restore?to=table&into=rows&table=price_rules&at=${new Date(written + 500).toISOString()}`,
  )
  const replace = page.getByRole('button', { name: /^Replace rows with those of / })
  await expect(replace).toHaveAttribute('aria-disabled', 'true')
  await page.getByLabel('Type price_rules to replace its rows').fill('price_rules')
  await replace.click()
  await expect(page).toHaveURL(/\/workflows\/.+\/runs\//)
  await expect
    .poll(async () => (await table()).map(({ status }) => status), { timeout: 90_000 })
    .toEqual(['completed', 'completed'])
  expect(await answer('select count(*)::text from price_rules')).toEqual([['483']])
})
