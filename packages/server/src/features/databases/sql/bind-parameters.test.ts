import pg from 'pg'
import { afterAll, expect, test } from 'vitest'

import { realClock } from '../../../platform/clock.ts'
import { testDatabaseUrl } from '../../../testing/database.ts'
import { bindParameters } from './bind-parameters.ts'
import { executeStatement } from './execute-statement.ts'
import { explainStatement } from './explain-statement.ts'

const connectionString = await testDatabaseUrl()
const admin = new pg.Client({ connectionString })
await admin.connect()
afterAll(() => admin.end())
await admin.query(`
  create table orders (id int primary key, region text, tags text[], total numeric, at timestamptz, doc jsonb);
  insert into orders select n, case when n % 2 = 0 then 'eu' else 'us' end, array['a', 'b'], n * 1.5,
    timestamptz '2026-01-01' + n * interval '1 day', jsonb_build_object('n', n) from generate_series(1, 100) n;
  create index on orders (region, id); analyze orders`)

type Values = Record<string, string | null>
const bound = (statement: string, values: Values) =>
  bindParameters(
    statement,
    Object.entries(values).map(([name, value]) => ({ name, value })),
  )
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
const run = (statement: string, values: Values = {}, mode: 'read' | 'write' = 'read') =>
  session((client) =>
    executeStatement(
      client,
      { statement: bound(statement, values), maxRows: 500, timeoutMs: 30_000, mode },
      realClock,
    ),
  )
const countOrders = async () =>
  Number((await admin.query<{ n: string }>('select count(*) as n from orders')).rows[0]?.n)

test('values are bound with the types that the server chooses', async () => {
  const counted = await run(
    'select count(*) from orders where region = :region and id > :least and total <= :most and at >= :from',
    { region: 'eu', least: '10', most: '60.0', from: '2026-01-15' },
  )
  expect([counted.error, counted.rows]).toEqual([null, [['14']]])
  const list = await run('select id from orders where id = any (:ids) order by id', { ids: '{3,5}' })
  expect(list.rows).toEqual([['3'], ['5']])
  const slices = await run("select tags[1:1], tags[(:n)], ':n' from orders where id = :n", { n: '1' })
  expect(slices.rows).toEqual([['{a}', 'a', ':n']])
  expect((await run('select :x::text is null, :x::text', { x: null })).rows).toEqual([['t', null]])
  expect((await run('select doc @> :doc from orders where id = 1', { doc: '{"n": 1}' })).rows).toEqual([
    ['t'],
  ])
})

test.each([
  "'; drop table orders; --",
  "' or '1' = '1",
  '$$; drop table orders; $$',
  String.raw`\'; drop table orders; --`,
  '"; drop table orders; --',
  "eu'; commit; delete from orders where '1'='1",
  '*/ drop table orders; /*',
  ':region $1 ::int',
  '{"a","b"}',
  "{eu}'::text[] or true --",
  '😀'.repeat(100),
])('a value is data, whatever it contains: %s', async (value) => {
  const statement = 'select :region::text, (select count(*) from orders where region = :region)'
  for (const mode of ['read', 'write'] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const result = await run(statement, { region: value }, mode)
    expect([result.error, result.rows]).toEqual([null, [[value, '0']]])
  }
  expect(await countOrders()).toBe(100)
})

test('a parameter stands for a value alone: not for a name, a keyword or part of a text', async () => {
  for (const statement of [
    'select * from :t',
    'select 1 order by 1 :d',
    'drop table :t',
    'set work_mem = :v',
  ]) {
    const [, name = ''] = /:(\w)/.exec(statement) ?? []
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const result = await run(statement, { [name]: 'orders' }, 'write')
    expect(result.error?.code, statement).toMatch(/^42/)
  }
  expect(await countOrders()).toBe(100)
  expect(() => bound('do $$ begin execute :code; end $$', { code: 'drop table orders' })).toThrow(
    'A DO block takes no parameters',
  )
  expect(() => bound("do 'begin execute :code; end'", { code: 'x' })).toThrow(
    'A DO block takes no parameters',
  )
})

test('a missing value is asked for at its field, and one without a parameter is refused', () => {
  expect(() => bound('select :a, :b', { a: '1' })).toThrow('Enter a value for :b, or choose NULL.')
  expect(() => bound('select :a', { a: '1', c: '2' })).toThrow('The statement has no parameter :c.')
})

test('what is wrong with a value is said with its name, and a place is that in the statement as it was written', async () => {
  const wrong = await run('select * from orders where id = :number', { number: "1'; drop table orders" })
  expect(wrong.error).toMatchObject({ code: '22P02', parameter: 'number' })
  expect(wrong.error?.message).toContain('invalid input syntax for type integer')
  const untyped = await run('select * from orders where :a is null', { a: '1' })
  expect(untyped.error).toMatchObject({
    code: '42P18',
    parameter: 'a',
    message: 'could not determine data type of parameter :a',
    hint: 'Write its type behind it, such as :region::text.',
  })
  const misspelt = await run('select :region::text,\n  :region::text, nope from orders', { region: 'eu' })
  expect(misspelt.error).toMatchObject({ code: '42703', line: 2, column: 18 })
})

test('a plan is that for the values, measured or not', async () => {
  const explain = (analyze: boolean) =>
    session((client) =>
      explainStatement(
        client,
        {
          statement: bound('select * from orders where region = :region and id = :id', {
            region: "eu'; drop table orders; --",
            id: '4',
          }),
          analyze,
          timeoutMs: 30_000,
        },
        realClock,
      ),
    )
  const planned = await explain(false)
  expect(planned.error).toBeNull()
  expect(JSON.stringify(planned.nodes)).toContain('(id = 4)')
  expect((await explain(true)).nodes[0]?.actualRows).toBe(0)
  expect(await countOrders()).toBe(100)
})
