import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'
import { givenDatabase } from './given-database.ts'

test('a dropped table comes back: backed up, restored to the moment before, put in place, and put back', async ({
  page,
  bey,
}) => {
  test.setTimeout(300_000)
  const { session, client, id, read, execute } = await givenDatabase(bey, 'shop')
  const rowsOf = async (databaseId: string) =>
    (
      await client.call('databases.query', {
        params: { id: databaseId },
        body: { statement: 'select string_agg(n::text, $$,$$ order by n) from parts' },
      })
    ).rows
  await execute('create table parts (n int)')
  await execute('create table log (n int primary key)')
  await execute('insert into parts values (1)')

  await enterWith(page, session.token)
  await page.goto(`/databases/${id}?tab=backups`)
  await expect(page.getByText('No backup yet: this database could not be restored.')).toBeVisible()
  await page.getByRole('button', { name: 'Back up now' }).click()
  const backups = page.getByRole('table', { name: 'Backups' })
  await expect(backups.getByRole('row').nth(1)).toContainText('completed', { timeout: 90_000 })
  expect(await axeFindings(page)).toEqual([])

  // What no drill has measured is not drawn.
  await expect(page.getByText(/^No drill has measured yet how long it takes to be back/)).toBeVisible()
  await page.getByRole('button', { name: 'Prove it now' }).first().click()
  await expect(page.getByText('How long it takes to be back at any moment')).toBeVisible({ timeout: 90_000 })
  await expect(page.getByText(/From 1 drill: /)).toBeVisible()
  await expect(page.getByText(/^Back in about /)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Measured' })).toContainText('Time to be back')
  const {
    updatedAt: _,
    version,
    nextBackupAt: _b,
    nextDrillAt: _d,
    backupNote: _n,
    drillNote: _m,
    ...policy
  } = await client.call('databases.backupPolicy.get', { params: { id } })
  await client.call('databases.backupPolicy.update', {
    params: { id },
    body: { ...policy, recoveryTimeMinutes: 60, expectedVersion: version },
  })
  await expect(page.getByText(/within what was promised/)).toBeVisible()
  await expect(page.getByText(/Promised: 60 min, above this scale/)).toBeVisible()
  // Drawn although the page was open before the drill was over.
  const picture = page.getByRole('figure').locator('svg').first()
  await expect.poll(async () => (await picture.boundingBox())?.width ?? 0).toBeGreaterThan(300)
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Time to be back' }).getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: 'Chart', exact: true }).click()

  await execute('insert into parts values (2)')
  const at = new Date()
  // More than a second and its part: what is offered is the whole second before the drop.
  await expect.poll(() => Date.now()).toBeGreaterThan(at.getTime() + 2_000)
  await execute('drop table parts')
  await execute('insert into log values (1), (2)')
  // The log of changes reaches the store within about a minute.
  await expect
    .poll(
      async () =>
        Date.parse((await client.call('databases.window', { params: { id } })).ranges.at(-1)?.to ?? ''),
      {
        timeout: 120_000,
      },
    )
    .toBeGreaterThan(at.getTime() + 2_000)

  // The moment is chosen by what happened then, and proposed.
  await page.getByRole('link', { name: 'Restore…' }).click()
  await expect(page.getByRole('heading', { name: 'Restore shop', level: 1 })).toBeVisible()
  await expect(page.getByText(/^parts was dropped at /)).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toHaveText('DatabasesshopRestore')
  await expect(page.getByRole('radio', { name: /before DROP TABLE parts/ })).toBeChecked()
  const slider = page.getByRole('slider', { name: 'Moment to restore' })
  const proposed = await slider.getAttribute('aria-valuetext')
  await slider.press('ArrowLeft')
  await expect(slider).not.toHaveAttribute('aria-valuetext', proposed ?? '')
  await slider.press('Alt+ArrowRight')
  await expect(slider).toHaveAttribute('aria-valuetext', proposed ?? '')
  const differs = page.getByRole('table', { name: 'What differs' })
  await expect(differs.getByRole('row', { name: /parts/ })).toContainText(/dropped\s*back with all its rows/)
  await page.getByRole('radio', { name: /^In place of shop/ }).check()
  await expect(page.getByText('Until you swap, nothing changes.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'The same on the command line' })).toContainText(
    /bey databases restore shop .*--at /s,
  )
  expect(await axeFindings(page)).toEqual([])
  await page.getByLabel('Name of the copy until it is swapped').fill('shop-before')
  await page.getByRole('button', { name: /^Restore to .* beside shop$/ }).click()
  await expect(page.getByRole('heading', { name: 'shop-before', level: 1 })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/^A copy of shop/)).toBeVisible({ timeout: 120_000 })
  const copyId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  expect(await rowsOf(copyId)).toEqual([['1,2']])
  const rows = page.getByRole('table', { name: 'Rows of shop-before and shop' })
  await expect(rows.getByRole('row', { name: /parts/ })).toContainText(/2\s*dropped\s*Back, 2 rows/)
  await expect(rows.getByRole('row', { name: /log/ })).toContainText(/0\s*2\s*2 rows fewer/)
  await expect(
    page.getByText('1 table comes back: parts. At least 2 rows in 1 table stay in the old database: log.'),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Who is affected' })).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  const screen = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  if (screen !== null) await page.setViewportSize(screen)

  const address = (await read()).endpoint
  // A copy is backed up at once, and is not swapped meanwhile.
  const isBackedUp = async () => {
    const { backups: made } = await client.call('databases.backups.list', {
      params: { id: copyId },
      query: {},
    })
    return made[0]?.status
  }
  await expect.poll(isBackedUp, { timeout: 90_000 }).toBe('completed')
  await page.getByRole('button', { name: 'Put it in place of shop…' }).click()
  await expect(page.getByRole('dialog').getByText('1 table comes back: parts')).toBeVisible({
    timeout: 30_000,
  })
  await page.getByRole('dialog').getByRole('textbox').fill('shop')
  await page.getByRole('button', { name: 'Swap databases' }).click()
  await expect(page.getByText('This copy took the place of a database')).toBeVisible({ timeout: 120_000 })
  const swapped = await read(copyId)
  expect([swapped.name, swapped.endpoint]).toEqual(['shop', address])
  expect(await rowsOf(copyId)).toEqual([['1,2']])
  expect(await axeFindings(page)).toEqual([])

  // What was written after that moment is copied from the old database.
  const left = page.getByRole('region', { name: 'Rows left behind' })
  await expect(left.getByText('2 rows of 1 table are in')).toBeVisible({ timeout: 30_000 })
  await left.getByRole('button', { name: 'Copy 2 rows…' }).click()
  await expect(page.getByRole('dialog')).toContainText('nothing that is here is changed')
  expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
  await page.getByRole('button', { name: 'Copy rows', exact: true }).click()
  await expect(page.getByText('2 rows copied').first()).toBeVisible({ timeout: 60_000 })
  await page.goto(`/databases/${copyId}`)
  await expect(left.getByText('Nothing was left behind')).toBeVisible({ timeout: 30_000 })

  await page.getByRole('button', { name: 'Undo the swap' }).click()
  await expect.poll(async () => (await read()).name, { timeout: 120_000 }).toBe('shop')
  await expect(page.getByText(/^A copy of shop/)).toBeVisible({ timeout: 60_000 })
})

test('the policy of backups is changed with its checks, and a phone shows what can be restored', async ({
  page,
  bey,
}) => {
  test.setTimeout(120_000)
  const session = await signUpByApi(bey.url, newcomer())
  const { client } = session
  const { id } = await client.call('databases.create', { body: { provider: 'embedded', name: 'carts' } })
  const status = async () => (await client.call('databases.get', { params: { id } })).status
  await expect.poll(status, { timeout: 90_000 }).toBe('available')
  await enterWith(page, session.token)
  await page.goto(`/databases/${id}?tab=backups`)
  const policy = page.getByRole('region', { name: 'Policy' })
  await expect(policy).toContainText(
    'If this machine is lost, the database and its backups are lost together.',
  )
  await policy.getByRole('button', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Back up', { exact: true }).selectOption({ label: 'Every day at 02:00 UTC' })
  await dialog.getByLabel('Kept for, in days').fill('0')
  await dialog.getByRole('button', { name: 'Add a check' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Enter 1 to 365 days.')).toBeVisible()
  await expect(dialog.getByText('Give each check a name and a statement, or remove it.')).toBeVisible()
  await dialog.getByLabel('Kept for, in days').fill('14')
  await dialog.getByLabel('Promised to be back within, in minutes').fill('15')
  await dialog.getByLabel('Name of check 1').fill('It answers')
  await dialog.getByLabel('Statement of check 1').fill('select true')
  expect(await axeFindings(page, { within: '[role="dialog"]' })).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(policy).toContainText('At 02:00, UTC')
  await expect(policy).toContainText('14 days')
  await expect(policy).toContainText('back within 15 min')
  await expect(policy).toContainText('It answers')

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByText('No backup yet: this database could not be restored.')).toBeVisible()
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(await overflow()).toBeLessThanOrEqual(0)
  expect(await axeFindings(page)).toEqual([])
})
