import { afterAll, expect, test, vi } from 'vitest'

import { testApp } from '../../../../testing/app.ts'
import { databaseApi, query } from '../../testing/database-api.ts'
import { seizing } from '../../testing/seizing.ts'

const app = await testApp()
const user = await app.given.user({ role: 'MEMBER' })
const { ask, embedded, until } = databaseApi(app, user)
const orders = await embedded('orders')
const path = `/api/databases/${orders.id}`
const inOrders = (sql: string) => query(orders.endpoint, orders.password, sql)
const eventually = (work: () => Promise<unknown>) => vi.waitFor(work, { timeout: 60_000, interval: 200 })

const attack = await seizing()
afterAll(() => attack.remove())
await inOrders(attack.sql)
await inOrders(`create type mood as enum ('calm', 'busy');
  create function mood_text(mood) returns text language plpgsql as
    $$ begin perform public.seize(); return pg_catalog.enum_out($1); end $$;
  create cast (mood as text) with function mood_text(mood);
  create table cast_of_owner (m mood primary key);
  create table trigger_of_owner (id int primary key);
  create function seize_on_write() returns trigger language plpgsql as $$ begin perform public.seize(); return new; end $$;
  create trigger seizes before insert on trigger_of_owner for each row execute function seize_on_write()`)
await inOrders(`create table customers (id serial primary key, name text unique, tags text[], born timestamptz);
  create table orders (customer int references customers, no int, note jsonb, twice int generated always as (no * 2) stored,
    primary key (customer, no));
  create table "Odd ""names""" ("a b" text collate "und-x-icu" primary key, raw bytea);
  create table log (line text);
  create table seen (n int);
  create function note_it() returns trigger language plpgsql as
    $$ begin insert into public.seen values (1); return new; end $$;
  create trigger noted before insert on orders for each row execute function note_it();
  insert into customers (name) select 'c' || n from generate_series(1, 10) n;
  insert into orders select n, 1, '{}' from generate_series(1, 10) n;
  truncate seen`)
const begun = await ask('POST', `${path}/backups`)
await eventually(async () =>
  expect((await ask('GET', `${path}/backups/${begun.body.id}`)).body.status).toBe('completed'),
)
const restore = await ask('POST', `${path}/restore`, { name: 'orders-copy', backupId: begun.body.id })
const copyId = restore.body.newDatabase.id
await until(copyId, { status: 'available' })
// What comes after the backup, and stays in the old one.
await inOrders(`insert into customers (name, tags, born) values
    ('O''Brien "x" \\ ü', '{"a b",NULL,"c,\\"d"}', '2026-03-01 12:00+02'), ('taken', null, null);
  insert into orders values (11, 1, '{"a": [1, null, "ü"]}'), (11, 2, null);
  update customers set tags = '{x}' where id = 3;
  insert into "Odd ""names""" values ('é', '\\x00ff'), ('e', null), ('Z', '\\x');
  insert into log values ('unknown');
  insert into cast_of_owner values ('busy');
  insert into trigger_of_owner values (1);
  create table later (id int primary key);
  insert into later values (1)`)
await eventually(async () => {
  const swapped = await ask('POST', `${path}/swap`, { withDatabaseId: copyId })
  expect(swapped.status, swapped.text).toBe(202)
})
await eventually(async () =>
  expect((await ask('GET', `${path}/swap`)).body.swap).toMatchObject({ status: 'completed' }),
)
await until(copyId, { status: 'available' })
await until(orders.id, { status: 'available' })
const leftPath = `/api/databases/${copyId}/swap/left-rows`
const read = async () => {
  const reply = await ask('GET', leftPath)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
type Table = { name: string }
const tableOf = (body: { tables: Table[] }, name: string) => body.tables.find((table) => table.name === name)

test('rows that only the old database has, and rows that differ, are counted by their keys', async () => {
  const body = await read()
  expect(tableOf(body, 'customers')).toMatchObject({
    left: 2,
    differing: 1,
    differingKeys: ['3'],
    key: ['id'],
  })
  expect(tableOf(body, 'orders')).toMatchObject({
    left: 2,
    differing: 0,
    triggers: 1,
    key: ['customer', 'no'],
  })
  expect(tableOf(body, 'Odd "names"')).toMatchObject({ left: 3, differing: 0, reason: null })
  expect(tableOf(body, 'log')).toMatchObject({ left: null, reason: 'no_key' })
  expect(tableOf(body, 'later')).toMatchObject({ left: null, reason: 'no_table' })
  expect(body.tablesLeftOut).toBe(0)
})

test('they are copied whole and in order, what is there stays, and what a constraint refuses is said', async () => {
  // Written in the meantime: a name that is unique, whose id is another one.
  await inOrders(`insert into customers (id, name) values (900, 'taken')`)
  const tables = ['orders', 'customers', 'Odd "names"'].map((name) => ({ schema: 'public', name }))
  const started = await ask('POST', `${leftPath}/copy`, { tables })
  expect(started.status, started.text).toBe(202)
  const { workflowId, runId } = started.body
  const run = await vi.waitFor(
    async () => {
      const { body } = await ask('GET', `/api/v1/workflows/${workflowId}/runs/${runId}`)
      expect(body.run.finished_at).not.toBeNull()
      return body.run
    },
    { timeout: 60_000, interval: 100 },
  )
  expect(run.status).toBe('failed')
  expect(JSON.stringify(run)).toContain('1 rows refused. Another row has the value of a unique column.')
  expect(await inOrders(`select id, name, tags, born from customers where id = 11`)).toEqual([
    {
      id: 11,
      name: 'O\'Brien "x" \\ ü',
      tags: ['a b', null, 'c,"d'],
      born: new Date('2026-03-01T10:00:00Z'),
    },
  ])
  expect(await inOrders(`select no, note, twice from orders where customer = 11 order by no`)).toEqual([
    { no: 1, note: { a: [1, null, 'ü'] }, twice: 2 },
    { no: 2, note: null, twice: 4 },
  ])
  expect(await inOrders(`select encode(raw, 'hex') as raw from "Odd ""names""" where "a b" = 'é'`)).toEqual([
    { raw: '00ff' },
  ])
  expect(await inOrders('select tags from customers where id = 3')).toEqual([{ tags: null }])
  // Its trigger fired for each row, and the next id is free.
  expect(await inOrders('select count(*)::int as n from seen')).toEqual([{ n: 2 }])
  expect(await inOrders(`insert into customers (name) values ('next') returning id`)).toEqual([{ id: 901 }])
  const body = await read()
  expect(tableOf(body, 'customers')).toMatchObject({ left: 1, differing: 1 })
  expect(tableOf(body, 'orders')).toBeUndefined()
})

test('copied again nothing happens twice, and a database that took no place has left nothing behind', async () => {
  const tables = [{ schema: 'public', name: 'orders' }]
  const { body } = await ask('POST', `${leftPath}/copy`, { tables })
  await eventually(async () => {
    const run = await ask('GET', `/api/v1/workflows/${body.workflowId}/runs/${body.runId}`)
    expect(run.body.run.status).toBe('completed')
  })
  expect(await inOrders('select count(*)::int as n from seen')).toEqual([{ n: 2 }])
  const ofOld = await ask('GET', `${path}/swap/left-rows`)
  expect([ofOld.status, ofOld.body.code]).toEqual([409, 'conflict'])
  const viewer = await app.given.user({ role: 'VIEWER', organizationId: user.organizationId })
  const refused = await app.ask('GET', leftPath, { token: viewer.token, organizationId: user.organizationId })
  expect(refused.status).toBe(403)
})

test.each(['cast_of_owner', 'trigger_of_owner'])(
  'what the owner wrote is not run by the superuser as rows are compared and copied: %s',
  async (name) => {
    expect(tableOf(await read(), name)).toMatchObject({ left: 1, differing: 0 })
    expect(attack.wasCalledBySuperuser()).toBe(false)
    const { body } = await ask('POST', `${leftPath}/copy`, { tables: [{ schema: 'public', name }] })
    await eventually(async () => {
      const run = await ask('GET', `/api/v1/workflows/${body.workflowId}/runs/${body.runId}`)
      expect(run.body.run.status).toBe('completed')
    })
    expect(await inOrders(`select count(*)::int as n from ${name}`)).toEqual([{ n: 1 }])
    expect(attack.wasCalledBySuperuser()).toBe(false)
  },
)
