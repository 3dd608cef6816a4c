import { redisPath, startRedis } from '../packages/server/src/testing/watched-servers.ts'
import { signUpByApi } from '../tools/api-session.ts'
import { axeFindings } from './axe.ts'
import { enterWith, expect, newcomer, test } from './bey.ts'
import { option, palette, search } from './palette-page.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('a database is created, connected to, hibernated, resumed and deleted', async ({ page, bey }) => {
  test.setTimeout(180_000)
  const session = await signUpByApi(bey.url, newcomer())
  await enterWith(page, session.token)
  await page.goto('/databases')
  await expect(page.getByRole('heading', { name: 'No database yet' })).toBeVisible()
  await page.getByRole('link', { name: 'Create database' }).last().click()
  await page.getByRole('button', { name: 'Create database' }).click()
  await expect(page.getByText('Enter a name for the database.')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('orders-eu')
  await expect(page.getByText('Secret databases/orders-eu')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Create database' }).click()
  await expect(page.getByRole('heading', { name: 'orders-eu', level: 1 })).toBeVisible()
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('Cache hits')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('navigation', { name: 'Parts of the database' }).getByText('Connect').click()
  const string = page.getByRole('region', { name: 'Connection string' })
  await expect(string).toContainText('postgresql://orders_eu:')
  await expect(string).toContainText('read when you copy')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Copy with password' }).click()
  await expect(page.getByText('Copied with the password')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toMatch(/^postgresql:\/\/orders_eu:[A-Za-z0-9]{40}@127\.0\.0\.1:\d+\/orders_eu/)

  await page.getByRole('navigation', { name: 'Parts of the database' }).getByText('Settings').click()
  // Its first backup begins as soon as it is ready, and would fail with its server.
  const [, id = ''] = /\/databases\/([0-9a-f-]{36})/.exec(page.url()) ?? []
  const statuses = async () =>
    (await session.client.call('databases.backups.list', { params: { id } })).backups.map(
      ({ status }) => status,
    )
  await expect.poll(statuses, { timeout: 60_000 }).toEqual(['completed'])
  await page.getByRole('button', { name: 'Kill the server' }).click()
  await expect(page.getByText(/The server was killed \(process \d+\)/)).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })

  await page.getByRole('button', { name: 'Actions for orders-eu' }).click()
  await page.getByRole('menuitem', { name: 'Hibernate' }).click()
  await expect(page.getByText('takes no memory until it is resumed')).toBeVisible({ timeout: 60_000 })
  // What was measured before it slept is no figure of now.
  await page.getByRole('navigation', { name: 'Parts of the database' }).getByText('Overview').click()
  await expect(page.getByRole('main')).toContainText('Connections—of 25')
  await expect(page.getByRole('main')).toContainText('Uptime—of the server')
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })

  await page.keyboard.press('Control+k')
  await search(page).fill('orders')
  await expect(option(page, /orders-eu/).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)

  await page.getByRole('button', { name: 'Actions for orders-eu' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/Secret databases\/orders-eu/)).toBeVisible()
  await dialog.getByRole('textbox').fill('orders-eu')
  await dialog.getByRole('button', { name: 'Delete database' }).click()
  await expect(page.getByRole('heading', { name: 'No database yet' })).toBeVisible({ timeout: 60_000 })
})

test('a Redis is tried, watched and shown by what it has', async ({ page, bey }) => {
  test.skip(redisPath === undefined, 'There is no Redis or Valkey on this machine.')
  test.setTimeout(120_000)
  const session = await signUpByApi(bey.url, newcomer())
  const server = await startRedis()
  try {
    await enterWith(page, session.token)
    await page.goto('/databases/create?where=external')
    await page.getByLabel('Name', { exact: true }).fill('cache')
    await page.getByLabel('Connection string').fill('redis://127.0.0.1:1')
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByText('whether Redis runs there')).toBeVisible()
    await page.getByLabel('Connection string').fill(`redis://127.0.0.1:${server.port}`)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await expect(page.getByText(/(Redis|Valkey) [\d.]+ answers/)).toBeVisible()
    await page.getByRole('button', { name: 'Connect database' }).click()
    await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })
    const parts = page.getByRole('navigation', { name: 'Parts of the database' })
    await expect(parts.getByRole('link')).toHaveText([
      'Overview',
      'Connect',
      'Metrics',
      'Commands',
      'Network',
      'Activity',
      'Settings',
    ])
    await expect(page.getByText('In a command that blocks')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await parts.getByText('Metrics').click()
    await expect(page.getByText('Clients in a command that blocks').first()).toBeVisible({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Alert…' }).click()
    await page.getByRole('menuitem', { name: 'Memory doubles' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('cache: memory')
    await page.goBack()
    await parts.getByText('Commands').click()
    await expect(page.getByText('No slow command')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await parts.getByText('Connect').click()
    await expect(page.getByRole('region', { name: 'Connection string' })).toContainText('redis://default:')
    expect(await axeFindings(page)).toEqual([])
  } finally {
    server.end()
  }
})

test('an external database is tried, watched, lost with its cause and shown among the metrics', async ({
  page,
  bey,
}) => {
  test.setTimeout(180_000)
  const session = await signUpByApi(bey.url, newcomer())
  const { client } = session
  const { id } = await client.call('databases.create', {
    body: { provider: 'embedded', name: 'somebody-else' },
  })
  const read = () => client.call('databases.get', { params: { id } })
  await expect.poll(async () => (await read()).status, { timeout: 90_000 }).toBe('available')
  const { endpoint, credential } = await read()
  const reason = 'Test of an external database'
  const { value } = await client.call('secrets.reveal', {
    params: { id: credential?.id ?? '' },
    body: { reason },
  })
  const password = typeof value === 'string' ? value : ''
  const port = String(endpoint?.port)
  const uri = `postgresql://somebody_else:${password}@127.0.0.1:${port}/somebody_else?sslmode=disable`

  await enterWith(page, session.token)
  await page.goto('/databases/create?where=external')
  await page.getByLabel('Name', { exact: true }).fill('legacy')
  await page.getByLabel('Connection string').fill(uri.replace(port, '1'))
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText('Nothing accepts connections on port 1 of 127.0.0.1.')).toBeVisible()
  await page.getByLabel('Connection string').fill(uri)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await expect(page.getByText(/PostgreSQL [\d.]+ answers/)).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Connect database' }).click()
  await expect(page.getByRole('heading', { name: 'legacy', level: 1 })).toBeVisible()
  await expect(page.getByText('healthy', { exact: true }).first()).toBeVisible({ timeout: 60_000 })

  await page.getByRole('navigation', { name: 'Parts of the database' }).getByText('Metrics').click()
  await expect(page.getByText('Connections by state').first()).toBeVisible({ timeout: 60_000 })
  expect(await axeFindings(page)).toEqual([])
  await page.goto('/databases/metrics')
  const rows = page.getByRole('table', { name: 'Database Metrics' }).getByRole('row')
  await expect(rows.filter({ hasText: 'legacy' })).toContainText('usual known after two weeks', {
    timeout: 60_000,
  })
  await expect(page.getByRole('img', { name: /^legacy: .*usual not known/ })).toBeVisible()
  await page.getByText('Connections', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Table' }).click()
  await expect(rows.filter({ hasText: 'legacy' })).toContainText(/now \d/)
  expect(await axeFindings(page)).toEqual([])

  await client.call('databases.hibernate', { params: { id } })
  await expect(rows.filter({ hasText: 'legacy' })).toContainText('no data since', { timeout: 90_000 })
  await client.call('databases.resume', { params: { id } })
  await expect(rows.filter({ hasText: 'legacy' })).toContainText('usual known after two weeks', {
    timeout: 90_000,
  })
})
