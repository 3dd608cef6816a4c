import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const user = await app.given.user({ role: 'MEMBER' })
const { ask, embedded, until } = databaseApi(app, user)
const orders = await embedded('orders')
const path = `/api/databases/${orders.id}`
const inOrders = (sql: string) => query(orders.endpoint, orders.password, sql)

await inOrders(`create schema sales;
  create table kept as select generate_series(1, 40) n;
  create table grown as select generate_series(1, 1000) n;
  create table sales."dropped ""one""" as select generate_series(1, 321) n;
  create table parts (n int) partition by range (n);
  create table parts_low partition of parts for values from (0) to (100);
  insert into parts select generate_series(1, 7);
  analyze`)
const begun = await ask('POST', `${path}/backups`)
const backupPath = `${path}/backups/${begun.body.id}`
await vi.waitFor(
  async () => expect((await ask('GET', backupPath)).body).toMatchObject({ status: 'completed' }),
  { timeout: 60_000, interval: 100 },
)
const restore = await ask('POST', `${path}/restore`, { name: 'orders-copy', backupId: begun.body.id })
const copyId = restore.body.newDatabase.id
await until(copyId, { status: 'available' })
const compare = (withDatabaseId = copyId) =>
  ask('GET', `${path}/swap/comparison?withDatabaseId=${withDatabaseId}`)

/** A session that stays open until the test is over. */
async function session(name: string) {
  const { host, port, database, username } = orders.endpoint
  const address = { host, port, database, user: username, password: orders.password }
  const client = new pg.Client({ ...address, application_name: name })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('rows then and now are counted in both, and it is said whose connections the swap ends', async () => {
  await inOrders(`drop table sales."dropped ""one""";
    create table added as select 1 as n;
    insert into grown select generate_series(1, 5)`)
  await session('storefront')
  await session('storefront')
  const importer = await session('import')
  await importer.query('begin; insert into kept values (41)')

  const { status, body, text } = await compare()
  expect(status, text).toBe(200)
  const exact = (rows: number) => ({ rows, isEstimate: false })
  expect(body.tables).toHaveLength(5)
  expect(body.tables).toEqual(
    expect.arrayContaining([
      { schema: 'sales', name: 'dropped "one"', copy: exact(321), source: null },
      { schema: 'public', name: 'added', copy: null, source: exact(1) },
      { schema: 'public', name: 'grown', copy: exact(1000), source: exact(1005) },
      { schema: 'public', name: 'kept', copy: exact(40), source: exact(40) },
      { schema: 'public', name: 'parts', copy: exact(7), source: exact(7) },
    ]),
  )
  const ofOneAlone = body.tables.slice(0, 2).map(({ name }: { name: string }) => name)
  expect(ofOneAlone.toSorted()).toEqual(['added', 'dropped "one"'])
  const { username } = orders.endpoint
  expect(body.clients).toEqual([
    { client: 'storefront', username, connections: 2, active: 0, idleInTransaction: 0, withChanges: 0 },
    { client: 'import', username, connections: 1, active: 0, idleInTransaction: 1, withChanges: 1 },
  ])
  expect([body.connections, body.tablesLeftOut]).toEqual([3, 0])
}, 60_000)

test('a table that cannot be counted in time has the estimate of the planner, marked as such', async () => {
  const holder = await session('holder')
  await holder.query('begin; lock table kept in access exclusive mode')
  const { body } = await compare()
  expect(body.tables.find(({ name }: { name: string }) => name === 'kept')).toMatchObject({
    copy: { rows: 40, isEstimate: false },
    source: { rows: 40, isEstimate: true },
  })
}, 60_000)

test('of many tables a hundred are compared, those of one database alone first; the rest are counted', async () => {
  await inOrders(
    `do $$ begin for n in 1..99 loop execute format('create table many_%s ()', n); end loop; end $$`,
  )
  const { body } = await compare()
  expect([body.tables.length, body.tablesLeftOut]).toEqual([100, 4])
  expect(
    body.tables.filter((table: { copy: unknown; source: unknown }) => !table.copy || !table.source),
  ).toHaveLength(100)
}, 60_000)

test('what was not restored from it is not compared', async () => {
  const { status, body } = await compare(orders.id)
  expect([status, body.detail]).toEqual([409, expect.stringContaining('Nothing was compared')])
  const viewer = await app.given.user({ role: 'VIEWER', organizationId: user.organizationId })
  const { token, organizationId } = viewer
  const denied = await app.ask('GET', `${path}/swap/comparison?withDatabaseId=${copyId}`, {
    token,
    organizationId,
  })
  expect(denied.status).toBe(403)
})
