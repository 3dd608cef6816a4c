import pg from 'pg'
import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const admin = await app.given.user({ role: 'ADMIN', name: 'Grace' })
const { organizationId } = admin
const member = await app.given.user({ role: 'MEMBER', organizationId, name: 'Ada' })
const { embedded, ask } = databaseApi(app, admin)
const { id, endpoint, password } = await embedded('shop')
const path = `/api/databases/${id}`
await query(
  endpoint,
  password,
  `create table orders (id int primary key, region text, state text);
   insert into orders select n, 'r' || n % 1000, 'open' from generate_series(1, 200000) n;
   create table audit (id int);
   create function add_one() returns int language sql as 'insert into audit values (1) returning 1';
   analyze`,
)

type Body = { parameters?: { name: string; value: string | null }[]; mode?: string; maxRows?: number }
const estimate = async (statement: string, body: Body = {}, user: GivenUser = admin) => {
  const { token } = user
  const reply = await app.ask('POST', `${path}/estimate`, {
    token,
    organizationId,
    body: { statement, ...body },
  })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const readsOf = async (statement: string, body: Body = {}) =>
  (await estimate(statement, body)).reads.map(
    ({ relation, isWhole }: { relation: string; isWhole: boolean }) => [relation, isWhole],
  )

test('tables that are read whole are named with the rows that they have, and what is found is what the planner expects', async () => {
  expect(await estimate("select * from orders where region = 'us'", {}, member)).toMatchObject({
    reads: [{ relation: 'orders', rows: 200_000, isWhole: true }],
    expectedRows: expect.toSatisfy((rows: number) => rows > 100 && rows < 300),
    changes: [],
    locksRows: false,
    isForAnyValues: false,
    history: null,
    error: null,
  })
  expect((await estimate('select * from orders where id = 7')).reads).toEqual([])
})

test.each([
  ['select * from orders', false],
  ['select * from orders limit 10', false],
  ['select count(*) from orders', true],
  ['select id from orders order by id limit 5', false],
  ['select count(*) from (select id from orders order by id offset 0) o', true],
  ['select * from orders order by state limit 10', true],
  ['select state from orders group by state', true],
  ['select exists (select from orders where state = $$x$$)', false],
])('whether a table is read to its end follows from the steps above it: %s', async (statement, isWhole) => {
  const reads: [string, boolean][] = await readsOf(statement)
  expect(reads.find(([relation]) => relation === 'orders')).toEqual(['orders', isWhole])
})

test('a reader that stops after 500 rows reads to the end where fewer are expected', async () => {
  expect(await readsOf('select * from orders', { maxRows: 5_000 })).toEqual([['orders', false]])
  expect(await readsOf("select * from orders where state = 'open'")).toEqual([['orders', false]])
  expect(await readsOf("select * from orders where state = 'paid'")).toEqual([['orders', true]])
})

test('what is changed comes from the steps of the plan, also within WITH; nothing is executed', async () => {
  const write = { mode: 'write' }
  expect(await estimate("update orders set state = 'paid' where id < 100", write)).toMatchObject({
    changes: [{ operation: 'update', relation: 'orders' }],
    error: null,
  })
  const within = 'with gone as (delete from orders returning id) insert into audit select id from gone'
  expect((await estimate(within, write)).changes).toEqual(
    expect.arrayContaining([
      { operation: 'delete', relation: 'orders' },
      { operation: 'insert', relation: 'audit' },
    ]),
  )
  expect(await estimate("select 'insert into orders'")).toMatchObject({ changes: [] })
  expect(await estimate('select add_one()', write)).toMatchObject({ changes: [], error: null })
  expect(await estimate('select * from orders where id = 1 for update', write)).toMatchObject({
    locksRows: true,
  })
  // The reader may not even plan it.
  expect((await estimate('delete from orders')).error).toMatchObject({ code: '42501' })
  expect((await estimate('selct 1')).error).toMatchObject({ code: '42601', position: 1 })
  expect(
    await query(
      endpoint,
      password,
      'select (select count(*) from orders)::int as o, (select count(*) from audit)::int as a',
    ),
  ).toEqual([{ o: 200_000, a: 0 }])
})

test('values are planned for where they are given, and the plan is for any where one is missing', async () => {
  const statement = 'select * from orders where region = :region and id > :least'
  const region = { name: 'region', value: "eu'; drop table orders; --" }
  expect(await estimate(statement, { parameters: [region] })).toMatchObject({
    isForAnyValues: true,
    error: null,
  })
  expect(await estimate(statement, { parameters: [region, { name: 'least', value: '1' }] })).toMatchObject({
    isForAnyValues: false,
    expectedRows: expect.toSatisfy((rows: number) => rows > 100 && rows < 300),
  })
  const refused = await ask('POST', `${path}/estimate`, { statement: 'do $$ begin perform :x; end $$' })
  expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining('A DO block')])
})

test('a time is told only where the same statement was counted, and advice is the one of the product', async () => {
  const statement = "select * from orders where region = 'apac'"
  await ask('POST', `${path}/statements/measure`)
  await query(endpoint, password, statement)
  await query(endpoint, password, statement)
  await ask('POST', `${path}/statements/measure`)
  await vi.waitFor(async () => {
    await query(endpoint, password, statement)
    const { body } = await ask('POST', `${path}/advice/check`)
    expect(body.advice.map(({ key }: { key: string }) => key)).toContain('missing-index:orders(region)')
  })
  const known = await estimate(statement)
  expect(known.history).toMatchObject({ calls: expect.any(Number), meanMs: expect.any(Number) })
  expect(known.history.calls).toBeGreaterThanOrEqual(2)
  expect(known.advice).toEqual([{ key: 'missing-index:orders(region)', title: 'Index orders by region' }])
  const other = await estimate("select id from orders where region = 'apac' and state = 'x'")
  expect(other.history).toBeNull()
})

test('who may not change a database learns no plan as its owner', async () => {
  const { token } = member
  const body = { statement: 'select 1', mode: 'write' }
  const reply = await app.ask('POST', `${path}/estimate`, { token, organizationId, body })
  expect([reply.status, reply.body.code]).toEqual([403, 'forbidden'])
})

test('a locked table holds up neither the estimate nor the list of tables, and takes no connections of the console', async () => {
  const { username: user, host, port, database } = endpoint
  const locker = new pg.Client({ host, port, database, user, password })
  await locker.connect()
  await locker.query('begin; lock table orders in access exclusive mode')
  try {
    const replies = await Promise.all(
      Array.from({ length: 12 }, () =>
        ask('POST', `${path}/estimate`, { statement: 'select count(*) from orders' }),
      ),
    )
    const planned = replies.filter(({ status }) => status === 200)
    expect(planned).toHaveLength(5)
    for (const { body } of planned) expect(body.error).toMatchObject({ code: '55P03' })
    const refused = replies.filter(({ status }) => status !== 200)
    for (const { status, body } of refused) expect([status, body.code]).toEqual([409, 'conflict'])
    const { status, body } = await ask('GET', `${path}/relations`)
    expect(status).toBe(200)
    expect(body.relations.find(({ name }: { name: string }) => name === 'orders')).toMatchObject({
      sizeBytes: null,
      columns: expect.arrayContaining([expect.objectContaining({ name: 'region' })]),
    })
  } finally {
    await locker.end()
  }
  expect((await estimate('select count(*) from orders')).error).toBeNull()
})
