import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'

import { realClock } from '../../../platform/clock.ts'
import { testDatabaseUrl } from '../../../testing/database.ts'
import { withoutParameters } from './bind-parameters.ts'
import { executeStatement } from './execute-statement.ts'
import { explainStatement } from './explain-statement.ts'
import { readRelations } from './relations.ts'
import { requireHarmless } from './require-harmless.ts'

const connectionString = await testDatabaseUrl()
const admin = new pg.Client({ connectionString })
await admin.connect()
afterAll(() => admin.end())
await admin.query(`
  create table orders (id bigint primary key, total numeric(12, 2), note text, at timestamptz default now());
  insert into orders select n, n * 1.5, case when n % 2 = 0 then 'even' end from generate_series(1, 2000) n;
  create function add_order() returns bigint language sql as $$ insert into orders (id) values (-1) returning id $$;
  create sequence numbers;
  analyze orders;`)

async function session<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

const execute = (statement: string, options: Partial<Parameters<typeof executeStatement>[1]> = {}) =>
  session((client) =>
    executeStatement(
      client,
      { statement: withoutParameters(statement), maxRows: 500, timeoutMs: 30_000, mode: 'read', ...options },
      realClock,
    ),
  )
const countOrders = async () =>
  Number((await admin.query<{ n: string }>('select count(*) as n from orders')).rows[0]?.n)

test('values come as PostgreSQL writes them, with the types of their columns', async () => {
  const result = await execute(
    `select 9007199254740993::bigint as big, 1.50::numeric(6,2) as price, null::text as none, '' as empty,
            array[1, 2] as list, '{"a": 1}'::jsonb as doc, 'x' as big`,
  )
  expect(result).toMatchObject({ command: 'SELECT', affectedRows: 1, isTruncated: false, error: null })
  expect(result.rows).toEqual([['9007199254740993', '1.50', null, '', '{1,2}', '{"a": 1}', 'x']])
  expect(result.columns.map(({ name, type, isNumeric }) => [name, type, isNumeric])).toEqual([
    ['big', 'bigint', true],
    ['price', 'numeric(6,2)', true],
    ['none', 'text', false],
    ['empty', 'text', false],
    ['list', 'integer[]', false],
    ['doc', 'jsonb', false],
    ['big', 'text', false],
  ])
})

test.each([
  [1, 1],
  [9, 9],
  [10, 10],
  [11, 11],
  [499, 499],
  [500, 500],
  [501, 500],
  [1999, 500],
])('of %i rows %i are read, and it is said whether there are more', async (count, read) => {
  const result = await execute(`select id from orders where id <= ${count} order by id`)
  expect(result.rows).toHaveLength(read)
  expect(result.rows.at(-1)).toEqual([String(read)])
  expect(result.isTruncated).toBe(count > read)
  expect(result.affectedRows).toBe(count > read ? null : count)
})

test.each([
  'insert into orders (id) values (-2)',
  'with added as (insert into orders (id) values (-3) returning id) select * from added',
  'select add_order()',
  `do $$ begin insert into orders (id) values (-4); end $$`,
  `do $$ begin commit; insert into orders (id) values (-5); end $$`,
  `select set_config('transaction_read_only', 'off', false), add_order()`,
  'delete from orders',
  'truncate orders',
  'drop table orders',
  'create table stolen as select 1',
  `select nextval('numbers')`,
  'explain analyze delete from orders',
  'commit; delete from orders',
  'select 1; delete from orders',
  'vacuum orders',
  'refresh materialized view orders',
  'alter table orders add column x int',
  'create role intruder superuser',
  'prepare p as delete from orders; execute p',
])('what would change something is refused while reading: %s', async (statement) => {
  const before = await countOrders()
  const result = await execute(statement)
  expect(result.error).not.toBeNull()
  expect(await countOrders()).toBe(before)
})

test.each([
  'set transaction read write',
  'commit',
  'rollback',
  'begin',
  'set session characteristics as transaction read write',
  'reset all',
])('a statement about the transaction itself opens no way to change something: %s', async (statement) => {
  const before = await countOrders()
  await session(async (client) => {
    const sent = withoutParameters(statement)
    await executeStatement(client, { statement: sent, maxRows: 5, timeoutMs: 5_000, mode: 'read' }, realClock)
  })
  expect(await countOrders()).toBe(before)
})

test('COPY to and from the client is refused, and ends neither the session nor the process', async () => {
  for (const statement of ['copy orders from stdin', 'copy orders to stdout']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const result = await execute(statement, { mode: 'write' })
    expect(result.error?.message, statement).toContain('use SELECT or INSERT')
  }
  expect((await execute('select 1')).rows).toEqual([['1']])
})

test('writing takes effect, also by what no transaction allows', async () => {
  const before = await countOrders()
  const inserted = await execute('insert into orders (id) values (-10), (-11) returning id', {
    mode: 'write',
  })
  expect(inserted).toMatchObject({ command: 'INSERT', affectedRows: 2, rows: [['-10'], ['-11']] })
  expect(await countOrders()).toBe(before + 2)
  expect(await execute('vacuum orders', { mode: 'write' })).toMatchObject({ command: 'VACUUM', error: null })
  const deleted = await execute('delete from orders where id < 0', { mode: 'write' })
  expect(deleted).toMatchObject({ command: 'DELETE', affectedRows: 2, columns: [], rows: [] })
})

test('all rows of a change are changed where only a few of them are shown', async () => {
  const result = await execute('update orders set note = note returning id', { mode: 'write', maxRows: 3 })
  expect(result).toMatchObject({ isTruncated: true })
  expect(result.rows).toHaveLength(3)
  const { rows } = await admin.query<{ n: string }>(
    'select count(*) as n from orders where xmin::text::bigint = (select max(xmin::text::bigint) from orders)',
  )
  expect(Number(rows[0]?.n)).toBe(2_000)
})

test('an error has its place in the statement, counted in characters', async () => {
  const { error } = await execute("select '😀😀',\n  totl from orders")
  expect(error).toMatchObject({ code: '42703', line: 2, column: 3, position: 16 })
  expect(error?.hint).toContain('total')
  expect((await execute('select 1; select 2')).error?.message).toBe('Only one statement at a time')
  expect((await execute('-- nothing')).error).toBeNull()
})

test('a statement that never ends is ended by the server at its time limit', async () => {
  const { error, durationMs } = await execute('select pg_sleep(600)', { timeoutMs: 300 })
  expect(error).toMatchObject({ code: '57014' })
  expect(durationMs).toBeGreaterThanOrEqual(250)
})

test('of ten gigabytes of rows no more is read than an answer is worth', async () => {
  const result = await execute(`select repeat('x', 1000000) from generate_series(1, 10000)`)
  expect(result).toMatchObject({ isTruncated: true, error: null })
  expect(result.cutValues).toBe(result.rows.length)
  expect(result.rows.length).toBeLessThan(50)
})

test('a plan is a tree with what each step takes; executed, with its time and rows', async () => {
  const ask = (statement: string, analyze: boolean) =>
    session((client) =>
      explainStatement(
        client,
        { statement: withoutParameters(statement), analyze, timeoutMs: 30_000 },
        realClock,
      ),
    )
  const planned = await ask('select * from orders o join orders p using (id) where o.note is null', false)
  expect(planned.error).toBeNull()
  expect(planned.nodes[0]).toMatchObject({ id: 0, parentId: null, depth: 0, selfMs: null, actualRows: null })
  expect(planned.nodes.some(({ subject }) => subject?.startsWith('orders'))).toBe(true)
  const measured = await ask('select count(*) from orders where total > 10', true)
  const scan = measured.nodes.find(({ type }) => type === 'Seq Scan')
  expect(scan).toMatchObject({ subject: 'orders', conditions: ["(total > '10'::numeric)"] })
  expect(scan?.actualRows).toBe(1_994)
  expect(measured.executionMs).toBeGreaterThan(0)
  expect((await ask('delete from orders', true)).error).toMatchObject({ code: '25006' })
  expect((await ask('delete from orders', false)).error).toBeNull()
  expect((await ask('select nope', false)).error).toMatchObject({ position: 8, line: 1, column: 8 })
  expect((await ask('select 1; delete from orders', true)).error?.message).toBe(
    'Only one statement at a time',
  )
  expect(await countOrders()).toBe(2_000)
})

test('tables are listed with their sizes and columns', async () => {
  await admin.query('analyze orders')
  const { relations } = await session(readRelations)
  const orders = relations.find(({ name }) => name === 'orders')
  expect(orders).toMatchObject({ schema: 'public', kind: 'table', rows: 2_000 })
  expect(orders?.sizeBytes).toBeGreaterThan(8_192)
  expect(orders?.columns).toContainEqual({ name: 'total', type: 'numeric(12,2)', isNullable: true })
  expect(relations.every(({ schema }) => !schema.startsWith('pg_'))).toBe(true)
})

test('who may run programs on the server reads nothing here: no transaction keeps them from it', async () => {
  const url = new URL(connectionString)
  url.username = 'postgres'
  const superuser = new pg.Client({ connectionString: url.href })
  await superuser.connect()
  onTestFinished(() => superuser.end())
  await expect(requireHarmless(superuser, 'shop')).rejects.toMatchObject({ code: 'conflict' })
  await superuser.query('begin; create role sql_runner in role pg_execute_server_program')
  await superuser.query('set local session authorization sql_runner')
  await expect(requireHarmless(superuser, 'shop')).rejects.toThrow('The user "sql_runner"')
  await superuser.query('rollback')
  await requireHarmless(admin, 'shop')
})
