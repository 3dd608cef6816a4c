import { expect, test, vi } from 'vitest'

import { testApp } from '../../../../testing/app.ts'
import { databaseApi, query } from '../../testing/database-api.ts'

const app = await testApp()
const user = await app.given.user({ role: 'MEMBER' })
const { ask, embedded } = databaseApi(app, user)
const catalog = await embedded('catalog')
const path = `/api/databases/${catalog.id}`
const sql = (text: string) => query(catalog.endpoint, catalog.password, text)

await sql(`create table currencies (code text primary key);
  insert into currencies values ('eur'), ('usd');
  create table "Price ""Rules""" (
    id bigint generated always as identity (start with 10 increment by 5) primary key,
    "Größe" text collate "C" not null default 'm' constraint "no 'x'" check ("Größe" <> 'x'),
    cents int, twice int generated always as (cents * 2) stored,
    currency text references currencies (code), tags text[], doc jsonb, at timestamptz default now(), raw bytea
  );
  comment on table "Price ""Rules""" is 'it''s theirs';
  create index "by, size" on "Price ""Rules""" (lower("Größe")) where cents > 5;
  insert into "Price ""Rules""" ("Größe", cents, currency, tags, doc, raw)
    select 's' || n, n, case n % 2 when 0 then 'eur' end, array['a,b', null, '"'], '{"a": "\\\\"}', '\\x00ff'
    from generate_series(1, 500) n;
  create table offers (id serial primary key, rule bigint constraint offers_rule references "Price ""Rules""" (id));
  insert into offers (rule) values (10), (15);
  create table parted (n int) partition by range (n);
  create table parted_1 partition of parted for values from (0) to (10);
  create table guarded (id serial primary key, tenant text);
  insert into guarded (tenant) values ('a'), ('b'), ('c');
  alter table guarded enable row level security;
  create policy own on guarded for select using (tenant = current_user);
  create view sums as select count(*) from guarded;
  create table big as select n, repeat('x', 100) || n as text from generate_series(1, 60000) n`)
const started = await ask('POST', `${path}/backups`)
await vi.waitFor(
  async () =>
    expect((await ask('GET', `${path}/backups/${started.body.id}`)).body).toMatchObject({
      status: 'completed',
    }),
  { timeout: 60_000, interval: 100 },
)
await sql(`insert into "Price ""Rules""" ("Größe", cents) values ('last', 7)`)
const rowsThen = await sql('select * from "Price ""Rules""" order by id')
const [now] = await sql('select clock_timestamp() as at')
const targetTime = new Date(now?.['at'] as Date).toISOString()
await sql(`drop table "Price ""Rules""" cascade; update big set text = 'changed'; delete from offers;
  delete from guarded where tenant <> 'a'; drop view sums`)

/** How a restore of one table ended. */
async function restored(body: object) {
  const reply = await ask('POST', `${path}/restore`, { targetTime, ...body })
  expect(reply.status, reply.text).toBe(202)
  const ended = await vi.waitFor(
    async () => {
      const { body: list } = await ask('GET', `${path}/restores?kind=table`)
      const found = list.restores.find((each: { id: string }) => each.id === reply.body.id)
      expect(['completed', 'failed']).toContain(found.status)
      return found
    },
    { timeout: 120_000, interval: 100 },
  )
  const { rows } = await app.database.ownerPool.query('select dir from database_restores where id = $1', [
    ended.id,
  ])
  expect(rows).toEqual([{ dir: null }])
  return ended
}

test('a dropped table is back under its name with its rows, keys, sequence and what referred to it', async () => {
  const ended = await restored({ table: 'Price "Rules"' })
  expect(ended, ended.failure).toMatchObject({
    kind: 'table',
    status: 'completed',
    newDatabase: null,
    table: { schema: 'public', name: 'Price "Rules"', into: 'Price "Rules"', replaces: false, rows: 501 },
  })
  expect(await sql('select * from "Price ""Rules""" order by id')).toEqual(rowsThen)
  const [made] = await sql(
    `insert into "Price ""Rules""" ("Größe", cents) values ('next', 1) returning id::int, twice`,
  )
  // A server that recovered may leave up to 32 values out, and gives none twice.
  expect(made?.['twice']).toBe(2)
  expect(Number(made?.['id'])).toBeGreaterThan(Number(rowsThen.at(-1)?.['id']))
  expect((Number(made?.['id']) - 10) % 5).toBe(0)
  const constraints = await sql(`select conname, convalidated from pg_constraint
    where contype in ('f', 'c', 'p') and (conrelid = '"Price ""Rules"""'::regclass or confrelid = '"Price ""Rules"""'::regclass)
    order by 1`)
  expect(constraints).toEqual([
    { conname: `Price "Rules"_currency_fkey`, convalidated: true },
    { conname: `Price "Rules"_pkey`, convalidated: true },
    { conname: `no 'x'`, convalidated: true },
    { conname: 'offers_rule', convalidated: true },
  ])
  await expect(sql('insert into offers (rule) values (99)')).rejects.toThrow('offers_rule')
  expect(await sql(`select indexdef from pg_indexes where indexname = 'by, size'`)).toEqual([
    {
      indexdef: `CREATE INDEX "by, size" ON public."Price ""Rules""" USING btree (lower("Größe")) WHERE (cents > 5)`,
    },
  ])
  expect(await sql(`select obj_description('"Price ""Rules"""'::regclass) as c`)).toEqual([
    { c: "it's theirs" },
  ])
}, 150_000)

test('a table that is there still gets its rows of then beside it, more than fit at once', async () => {
  const time = targetTime.slice(11, 16).replace(':', '')
  const ended = await restored({ table: 'big' })
  expect(ended, ended.failure).toMatchObject({ table: { into: `big_restored_${time}`, rows: 60_000 } })
  expect(
    await sql(
      `select count(*)::int as n, count(*) filter (where text = 'changed')::int as changed from big_restored_${time}`,
    ),
  ).toEqual([{ n: 60_000, changed: 0 }])
  expect(await sql(`select distinct text from big`)).toEqual([{ text: 'changed' }])
  const again = await restored({ table: 'big', into: 'big' })
  expect(again).toMatchObject({ status: 'failed', failure: expect.stringContaining('Choose another name.') })
}, 150_000)

test('rows are replaced in one transaction, those also that row security hides; a key from outside refuses it', async () => {
  const ended = await restored({ table: 'guarded', replace: true })
  expect(ended, ended.failure).toMatchObject({ table: { into: 'guarded', replaces: true, rows: 3 } })
  expect(await sql('select tenant from guarded order by id')).toEqual([
    { tenant: 'a' },
    { tenant: 'b' },
    { tenant: 'c' },
  ])
  expect(await sql(`insert into guarded (tenant) values ('d') returning id`)).toEqual([{ id: 4 }])
  await sql(`create table readers (guarded int references guarded (id))`)
  const refused = await restored({ table: 'guarded', replace: true })
  expect(refused.failure).toContain('Rows of public.readers refer to "public.guarded" (readers_guarded_fkey)')
  await sql('drop table readers; alter table guarded add more int')
  expect((await restored({ table: 'guarded', replace: true })).failure).toContain('do not fit any more')
  expect(await sql('select count(*)::int as n from guarded')).toEqual([{ n: 4 }])
  // Its copy beside is guarded as well.
  const beside = await restored({ table: 'guarded', into: 'guarded_then' })
  expect(beside.status, beside.failure).toBe('completed')
  expect(await sql(`select polname from pg_policy where polrelid = 'guarded_then'::regclass`)).toEqual([
    { polname: 'own' },
  ])
}, 300_000)

test('what cannot be restored by itself is refused in words, and so is a body that says too little', async () => {
  expect((await restored({ table: 'parted' })).failure).toContain('"public.parted" is partitioned')
  expect((await restored({ table: 'sums' })).failure).toBe('"public.sums" is a view, not a table.')
  expect((await restored({ table: 'none' })).failure).toBe('There was no table "public.none" at that moment.')
  const ask400 = async (body: object) =>
    (await ask('POST', `${path}/restore`, { targetTime, ...body })).status
  expect(await ask400({})).toBe(400)
  expect(await ask400({ name: 'x', table: 'big' })).toBe(400)
  expect(await ask400({ name: 'x', replace: true })).toBe(400)
  expect(await ask400({ table: 'big', into: 'x', replace: true })).toBe(400)
}, 300_000)
