import pg from 'pg'
import { afterAll, expect, test } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi } from '../testing/database-api.ts'
import { findAdvice } from './advice-rules.ts'
import { readCatalogue } from './catalogue.ts'

const app = await testApp()
const { given } = app
const admin = await given.user({ role: 'ADMIN', name: 'Grace' })
const { organizationId } = admin
const { embedded, ask } = databaseApi(app, admin)
const { id, endpoint, password } = await embedded('shop')
const path = `/api/databases/${id}`
const { username: user, host, port, database } = endpoint
const client = new pg.Client({ host, port, database, user, password })
client.on('error', () => undefined)
await client.connect()
afterAll(() => client.end())

const keysOf = async (rule: string, at = new Date()) => {
  await client.query('select pg_stat_force_next_flush()')
  const catalogue = await readCatalogue({
    client: { query: (text, values) => client.query(text, values) },
    version: 180_000,
  })
  return findAdvice(catalogue, [], at)
    .filter((finding) => finding.rule === rule)
    .map(({ key, content: { sql } }) => [key.slice(rule.length + 1), sql])
}
const inEightDays = () => new Date(Date.now() + 8 * 86_400_000)

test('an index that nothing uses for a week is named, one that is used or that is a key is not', async () => {
  await client.query(`create table items (id int primary key, sku int, shop int);
    insert into items select n, n, n from generate_series(1, 20000) n; analyze items;
    create index items_sku on items (sku); create index items_shop on items (shop)`)
  await client.query('set enable_seqscan = off; select * from items where sku = 7')
  expect(await keysOf('unused-index', inEightDays())).toEqual([
    ['items_shop', 'DROP INDEX CONCURRENTLY items_shop;'],
  ])
  expect(await keysOf('unused-index')).toEqual([])
})

test('the second of two alike is superfluous, and one that a longer one covers; another order is not', async () => {
  await client.query(`create table pairs (a int, b int); create index pairs_a on pairs (a);
    create index pairs_a_b on pairs (a, b); create index pairs_b_a on pairs (b, a);
    create unique index pairs_b on pairs (b) where a > 1; create index pairs_b_a_again on pairs (b, a)`)
  const keys = (await keysOf('duplicate-index')).map(([key]) => key)
  expect(keys).toHaveLength(2)
  expect(keys).toContain('pairs_a')
  expect(keys.some((key) => key === 'pairs_b_a' || key === 'pairs_b_a_again')).toBe(true)
})

test('an index whose creation failed is invalid, one that was built is not', async () => {
  await client.query('create table twice (id int); insert into twice values (1), (1)')
  await expect(client.query('create unique index concurrently twice_id on twice (id)')).rejects.toThrow()
  expect(await keysOf('invalid-index')).toEqual([['twice_id', 'DROP INDEX CONCURRENTLY twice_id;']])
  await client.query('drop index twice_id')
  expect(await keysOf('invalid-index')).toEqual([])
})

test('a foreign key without an index is named until it has one, and one of a small table is not', async () => {
  await client.query(`create table "Odd lines" (id int primary key, "item id" int references items);
    insert into "Odd lines" select n, n from generate_series(1, 20000) n;
    create table few (item int references items)`)
  const sql = 'CREATE INDEX CONCURRENTLY ON "Odd lines" ("item id");'
  expect(await keysOf('foreign-key')).toEqual([['"Odd lines"."Odd lines_item id_fkey"', sql]])
  await client.query(sql)
  expect(await keysOf('foreign-key')).toEqual([])
})

test('dead rows, an unknown table, a sequence near its end and a setting are named until they are mended', async () => {
  await client.query(`create table churn (id serial, note text) with (autovacuum_enabled = off);
    insert into churn (note) select 'x' from generate_series(1, 30000); delete from churn where id <= 15000`)
  expect(await keysOf('dead-rows')).toEqual([['churn', 'VACUUM (ANALYZE) churn;']])
  expect((await keysOf('never-analyzed')).map(([key]) => key)).toContain('churn')
  await client.query('vacuum (analyze) churn')
  expect(await keysOf('dead-rows')).toEqual([])
  expect((await keysOf('never-analyzed')).map(([key]) => key)).not.toContain('churn')

  expect(await keysOf('sequence')).toEqual([])
  await client.query("select setval('churn_id_seq', 2000000000)")
  const widen = 'ALTER TABLE churn ALTER COLUMN id TYPE bigint;'
  expect(await keysOf('sequence')).toEqual([['churn_id_seq', widen]])
  await client.query(widen)
  const further = 'ALTER SEQUENCE churn_id_seq AS bigint;'
  expect(await keysOf('sequence')).toEqual([['churn_id_seq', further]])
  await client.query(further)
  expect(await keysOf('sequence')).toEqual([])

  expect(await keysOf('setting')).toEqual([])
  const catalogue = await readCatalogue({
    client: { query: (text, values) => client.query(text, values) },
    version: 180_000,
  })
  const table = catalogue.tables.find(({ name }) => name === 'churn')
  if (!table) throw new Error('The table is not in the catalogue')
  const old = { ...catalogue, tables: [{ ...table, frozenAge: 1_500_000_000 }] }
  const rules = (from: typeof catalogue) => findAdvice(from, [], new Date()).map(({ key }) => key)
  expect(rules({ ...catalogue, settings: [{ name: 'fsync', value: 'off' }] })).toContain('setting:fsync')
  expect(rules(old)).toContain('wraparound:churn')
  expect(rules(catalogue)).not.toContain('wraparound:churn')
})

test('a slow statement gets an index, which is executed and then measured again; other advice is dismissed', async () => {
  await client.query(`reset enable_seqscan; create table orders (id int primary key, customer int, state text);
    insert into orders select n, n % 5000, 'open' from generate_series(1, 200000) n; analyze orders`)
  const slow = () => client.query('select count(*) as of_customer from orders where customer = 17')
  await ask('POST', `${path}/statements/measure`)
  for (let run = 0; run < 3; run += 1) await slow()
  // Half of all orders: no index helps to find them.
  await client.query("select count(*) from orders where state = 'open'")
  const checked = await ask('POST', `${path}/advice/check`)
  expect(checked.status, checked.text).toBe(200)
  type Listed = { rule: string; state: string; effects: { beforeMs: number; afterMs: number }[] }
  const missing = (body: { advice: Listed[] }) => body.advice.filter(({ rule }) => rule === 'missing-index')
  expect(missing(checked.body)).toMatchObject([
    {
      key: 'missing-index:orders(customer)',
      sql: 'CREATE INDEX CONCURRENTLY ON orders (customer);',
      state: 'open',
      effects: [],
    },
  ])
  const done = await ask('POST', `${path}/execute`, {
    statement: 'CREATE INDEX CONCURRENTLY ON orders (customer)',
  })
  expect(done.body.error).toBeNull()
  await slow()
  await ask('POST', `${path}/statements/measure`)
  const { body } = await ask('GET', `${path}/advice`)
  const [after] = missing(body)
  expect(after?.state).toBe('done')
  expect(after?.effects).toHaveLength(1)
  expect(after?.effects[0]?.afterMs).toBeLessThan(after?.effects[0]?.beforeMs ?? 0)

  const member = await given.user({ role: 'VIEWER', organizationId })
  const dismiss = { key: 'duplicate-index:pairs_a', reason: 'It is a test' }
  const denied = await app.ask('POST', `${path}/advice/dismiss`, {
    token: member.token,
    organizationId,
    body: dismiss,
  })
  expect(denied.status).toBe(403)
  expect((await ask('POST', `${path}/advice/dismiss`, dismiss)).status).toBe(200)
  const again = await ask('POST', `${path}/advice/check`)
  expect(again.body.advice.find(({ key }: { key: string }) => key === dismiss.key)).toMatchObject({
    state: 'dismissed',
    dismissed: { by: 'Grace', reason: 'It is a test' },
  })
  expect((await ask('GET', '/api/audit?action=database.advice.dismiss')).body.entries).toHaveLength(1)
  expect((await ask('POST', `${path}/advice/dismiss`, { ...dismiss, key: 'setting:no' })).status).toBe(404)
})
