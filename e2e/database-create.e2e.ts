import { addMember } from '../packages/server/src/testing/add-member.ts'
import { logInByApi, signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'

test('a database is created with its backups and the networks that reach it', async ({ page, bey }) => {
  test.setTimeout(180_000)
  const session = await signUpByApi(bey.url, newcomer())
  await enterWith(page, session.token)
  await page.goto('/databases/create')
  await page.getByLabel(/^Name/).first().fill('orders-eu')
  await page.getByLabel('Kept for, in days').fill('0')
  await page.getByRole('button', { name: 'Add network' }).click()
  await page.getByRole('textbox', { name: 'Network 1' }).fill('10.20.0.0/40')
  await page.getByRole('button', { name: 'Create database' }).click()
  await expect(page.getByText('Enter 1 to 365 days.')).toBeVisible()
  await page.getByLabel('Kept for, in days').fill('14')
  await page.getByLabel('Promised to be back within, in minutes').fill('9')
  await page.getByRole('textbox', { name: 'Network 1' }).fill('10.20.0.0/16')
  await expect(page.getByText('Any second of the last 14 days comes back within 9 min.')).toBeVisible()
  await page.getByRole('button', { name: 'Create database' }).click()
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await page.getByRole('navigation', { name: 'Parts of the database' }).getByText('Backups').click()
  await expect(page.getByText('back within 9 min').first()).toBeVisible()
  // Its first backup is made by itself.
  await expect(page.getByText('completed').first()).toBeVisible({ timeout: 90_000 })
})

test('parameters, extensions and a quota that are set in the form are there in the running server', async ({
  page,
  bey,
}) => {
  test.setTimeout(180_000)
  const session = await signUpByApi(bey.url, newcomer())
  const { client } = session
  await enterWith(page, session.token)
  await page.goto('/databases/create')
  // Nothing was measured yet, so no time is promised.
  await expect(page.getByText('Nothing is created until you press the button.')).toBeVisible()
  await expect(page.getByText('Ready in')).toHaveCount(0)
  await page.getByLabel(/^Name/).first().fill('orders-eu')
  await expect(page.getByText('free', { exact: true })).toBeVisible()

  await page.getByRole('spinbutton', { name: /^Disk quota/ }).fill('0.01')
  await page.locator('summary', { hasText: 'Parameters' }).click()
  const shown = page.getByRole('list', { name: 'Parameters' })
  await expect(shown.getByText('max_connections')).toBeVisible()
  const name = page.getByRole('combobox', { name: 'Set another' })
  await name.fill('shared_buffers')
  await page.keyboard.press('Enter')
  await expect(page.getByText('shared_buffers: It follows from the size of the database.')).toBeVisible()
  await name.fill('log_min_duration_statement')
  await page.keyboard.press('Enter')
  const value = page.getByRole('textbox', { name: 'Value of log_min_duration_statement' })
  await expect(value).toBeFocused()
  await value.fill('soon')
  await page.keyboard.press('Tab')
  await expect(page.getByText(/^log_min_duration_statement is a number, with one of the units/)).toBeVisible()
  await page.getByRole('button', { name: 'Create database' }).click()
  await expect(page.getByText('A quota is from 64 MiB to 64 TiB.')).toBeVisible()
  await page.getByRole('spinbutton', { name: /^Disk quota/ }).fill('1.5')
  await value.fill('500ms')
  await name.fill('MAX_CONNECTIONS')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByRole('textbox', { name: 'Value of max_connections' }).fill('31')

  await page.locator('summary', { hasText: 'Extensions' }).click()
  await page.getByRole('searchbox', { name: 'Filter extensions' }).fill('case-insensitive')
  await page.getByRole('checkbox', { name: /^citext/ }).check()
  expect(await axeFindings(page)).toEqual([])
  await page.getByText('The same on the command line').click()
  const command = page.getByRole('region', { name: 'Command that creates this database' })
  await expect(command).toContainText(
    `--parameters='{"log_min_duration_statement":"500ms","max_connections":"31"}'`,
  )
  await expect(command).toContainText('--extensions=citext')
  await expect(command).toContainText('--disk-quota-bytes=1610612736')

  await page.getByRole('button', { name: 'Create database' }).click()
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  const { databases } = await client.call('databases.list', { query: {} })
  const params = { id: databases[0]?.id ?? '' }
  const { rows } = await client.call('databases.query', {
    params,
    body: {
      statement: `select current_setting('log_min_duration_statement'), current_setting('max_connections'),
        (select extname from pg_extension where extname = 'citext')`,
    },
  })
  expect(rows).toEqual([['500ms', '31', 'citext']])
  await expect
    .poll(async () => (await client.call('databases.get', { params })).figures?.diskQuota, {
      timeout: 60_000,
    })
    .toMatchObject({ limitBytes: 1.5 * 1024 ** 3, isOwn: true })

  // The next one is promised what this one took, and cannot have its name.
  await page.goto('/databases/create')
  await expect(
    page.getByText(/^Ready for its first query about \d+ s after you press the button/),
  ).toBeVisible()
  await page.getByLabel(/^Name/).first().fill('orders-eu')
  await expect(
    page.getByText('A database named "orders-eu" exists already. Choose another name.'),
  ).toBeVisible()
})

test('on a phone the buttons of the form stay at the thumb, and nothing is wider than the screen', async ({
  page,
  bey,
}) => {
  await page.setViewportSize({ width: 360, height: 760 })
  const session = await signUpByApi(bey.url, newcomer())
  await enterWith(page, session.token)
  await page.goto('/databases/create')
  await page
    .getByLabel(/^Name/)
    .first()
    .fill(`${'long-name-'.repeat(6)}end`)
  await page.locator('summary', { hasText: 'Extensions' }).click()
  await page.locator('summary', { hasText: 'Parameters' }).click()
  await page.getByRole('combobox', { name: 'Set another' }).fill('idle_in_transaction_session_timeout')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: /^Value of idle_in/ })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Create database' })).toBeInViewport()
  await page.getByText('The same on the command line').click()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
})

test('a member creates a database with what members may set, and sees why the rest is not theirs', async ({
  page,
  bey,
}) => {
  test.setTimeout(120_000)
  const owner = await signUpByApi(bey.url, newcomer())
  const person = newcomer('Elsewhere')
  await signUpByApi(bey.url, person)
  await addMember(bey.dataDir, { ...person, organizationId: owner.organizationId, role: 'MEMBER' })
  const { token } = await logInByApi(bey.url, person)
  await enterWith(page, token)
  await page.goto('/databases/create')
  const why = 'Needs the role ADMIN or higher; yours is MEMBER.'
  await expect(page.getByRole('spinbutton', { name: /^Disk quota/ })).toBeDisabled()
  await expect(page.getByText(why).first()).toBeVisible()
  await page.locator('summary', { hasText: 'Extensions' }).click()
  await expect(page.getByRole('checkbox', { name: /^citext/ })).toBeDisabled()
  await page.locator('summary', { hasText: 'Parameters' }).click()
  await page.getByRole('combobox', { name: 'Set another' }).fill('work_mem')
  await expect(page.getByRole('button', { name: 'Set', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(page.getByText('0 set here')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByLabel(/^Name/).first().fill('theirs')
  await page.getByRole('button', { name: 'Create database' }).click()
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
})
