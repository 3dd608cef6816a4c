import { axeFindings } from './axe.ts'
import { enterWith, expect, test } from './bey.ts'
import { givenDatabase } from './given-database.ts'

test('a database is read by SQL, its plan is measured, a typing error is shown in its place, and writing is asked for', async ({
  page,
  bey,
}) => {
  const { session, id, execute } = await givenDatabase(bey, 'orders')
  await execute('create table orders (id bigint primary key, note text)')
  await execute("insert into orders select n, 'note, ' || n from generate_series(1, 600) n")
  await enterWith(page, session.token)
  await page.goto(`/databases/${id}?tab=sql`)

  const editor = page.getByRole('textbox', { name: 'SQL statement' })
  const type = async (text: string) => {
    await editor.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(text)
  }
  const result = page.getByRole('table', { name: 'Result' })
  await expect(page.getByLabel('Tables').locator('summary', { hasText: 'orders' })).toBeVisible()
  await type('select id, note from orders order by id')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByText(/^First 500 rows in /)).toBeVisible()
  await expect(result.getByRole('cell', { name: 'note, 1', exact: true })).toBeVisible()
  await expect(result.getByRole('columnheader', { name: 'id bigint' })).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('orders.csv')

  await editor.click()
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByLabel('Name').fill('All orders')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Saved queries' })).toContainText('All orders')
  await expect(page.getByRole('region', { name: 'History' })).toContainText('select id, note from orders')

  await page.getByRole('button', { name: 'Analyze' }).click()
  await expect(page.getByRole('list', { name: 'Plan' })).toContainText('orders')
  await expect(page.getByText(/^Executed in /)).toBeVisible()

  await type('select nope from orders')
  await page.getByRole('button', { name: /^Run/ }).click()
  await expect(page.getByText('Column "nope" does not exist (line 1, column 8)')).toBeVisible()
  await expect(page.locator('.cm-lintRange-error')).toHaveText('nope')

  await type('delete from orders')
  await page.getByRole('button', { name: /^Run/ }).click()
  await expect(page.getByText('This console only reads. Allow writing to change the database.')).toBeVisible()
  await page.getByLabel('Allow writing').check()
  await page.getByRole('button', { name: /^Run and change/ }).click()
  await expect(page.getByText(/^DELETE, 600 rows in /)).toBeVisible()

  await page.getByLabel('Allow writing').uncheck()
  await type('select pg_sleep(120)')
  await page.getByRole('button', { name: /^Run/ }).click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('SQLSTATE 57014')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
})

test('statements are written in tabs that outlive a reload, with parameters that are bound, and what they read is said before they run', async ({
  page,
  bey,
}) => {
  const { session, client, id, params, execute } = await givenDatabase(bey, 'orders')
  await execute('create table orders (id bigint primary key, region text)')
  await execute(
    "insert into orders select n, case when n % 100 = 0 then 'eu' else 'us' end from generate_series(1, 5000) n",
  )
  await execute('analyze orders')
  await enterWith(page, session.token)
  await page.goto(`/databases/${id}?tab=sql`)
  const editor = page.getByRole('textbox', { name: 'SQL statement' })
  const type = async (text: string) => {
    await editor.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(text)
  }
  const result = page.getByRole('table', { name: 'Result' })
  const tabs = page.getByRole('navigation', { name: 'Open statements' })

  await type("select id, ':no' as label from orders where region = :region order by id::text")
  await expect(page.getByText('Before you run it: reads all 5,000 rows of orders')).toBeVisible()
  await expect(page.getByText('Changes nothing. For any value of :region.')).toBeVisible()
  await page.getByRole('button', { name: /^Run/ }).click()
  await expect(page.getByText('Enter a value, or choose NULL.')).toBeVisible()
  await expect(page.getByLabel(':region', { exact: true })).toBeFocused()
  expect(await axeFindings(page)).toEqual([])
  await page.getByLabel(':region', { exact: true }).fill("eu'; drop table orders; --")
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^0 rows in /)).toBeVisible()
  await page.getByLabel(':region', { exact: true }).fill('eu')
  await expect(page.getByText(/finds about 5\d rows\.$/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^50 rows in /)).toBeVisible()
  await expect(result.getByRole('cell', { name: ':no', exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: /^Explain/ }).click()
  await expect(page.getByRole('list', { name: 'Plan' })).toContainText("(region = 'eu'::text)")
  await page.getByRole('button', { name: 'Result', exact: true }).click()
  await expect(result).toBeVisible()

  // The same rows as a picture, or why there is none; columns are found by their names.
  await page.getByRole('button', { name: 'Chart', exact: true }).click()
  await expect(page.getByText(/No column has numbers|these are 50|not evenly/)).toBeHidden()
  await tabs.getByRole('button', { name: 'New statement' }).click()
  await type('select region, count(*) as orders from orders group by region')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('button', { name: 'Chart', exact: true }).click()
  const bars = page.getByRole('region', { name: 'orders by region' })
  await expect(bars.getByRole('listitem').filter({ hasText: 'us' })).toContainText('4,950')
  await page.getByLabel('Find a table or column').fill('regio')
  await expect(page.getByLabel('Tables').getByRole('button', { name: 'Insert region' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await tabs.getByRole('button', { name: 'Close Untitled 2' }).click()
  await page.getByRole('button', { name: 'Close and lose it' }).click()

  // A saved query has its name on the tab, and a link that opens it.
  await editor.click()
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByLabel('Name').fill('By region')
  await page.getByLabel('Share with the organization').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(tabs.getByRole('button', { name: /^By region/ })).toHaveAttribute('aria-current', 'true')
  await tabs.getByRole('button', { name: 'New statement' }).click()
  await type('delete from orders')
  await expect(
    page.getByText(/^PostgreSQL refuses it here: permission denied for table orders/),
  ).toBeVisible()
  await page.getByLabel('Allow writing').check()
  await expect(page.getByText('Deletes from orders, about 5,000 rows.')).toBeVisible()
  await page.reload()
  await expect(editor).toContainText('delete from orders')
  const { queries } = await client.call('databases.savedQueries.list', { params })
  await page.goto(`/databases/${id}?tab=sql&query=${queries[0]?.id ?? ''}`)
  await expect(editor).toContainText('where region = :region')
  await expect(page.getByLabel(':region', { exact: true })).toHaveValue('')
  await expect(page).not.toHaveURL(/query=/)

  await tabs.getByRole('button', { name: 'Close Untitled' }).click()
  await expect(page.getByRole('dialog')).toContainText('Its statement is not saved and is lost.')
  await page.getByRole('button', { name: 'Keep it open' }).click()
  await expect(tabs.getByRole('button', { name: 'Untitled', exact: true })).toBeVisible()
  await tabs.getByRole('button', { name: 'Close Untitled' }).click()
  await page.getByRole('button', { name: 'Close and lose it' }).click()
  await expect(tabs.getByRole('listitem')).toHaveCount(2)
  await tabs.getByRole('button', { name: 'Close By region' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(editor).toContainText('select now()')
  expect(await axeFindings(page)).toEqual([])
})
