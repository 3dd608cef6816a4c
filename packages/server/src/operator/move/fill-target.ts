import type pg from 'pg'

import type { RowCounts } from '../backup/row-counts.ts'
import { copyRows, digestRows } from './copy-rows.ts'
import { readShape, requireSameShape, type Shape } from './shape.ts'

/**
 * Replaces everything in `target`, which has the tables of this version, by what `source` has, in one transaction on each side, and
 * compares every row with what arrived. Foreign keys are made again after the rows, triggers and policies are off meanwhile: rows arrive
 * as they were, and no trigger changes them. Answers the rows of each table. Throws ConfigError where the databases differ in version.
 */
export async function fillTarget(source: pg.Client, target: pg.Client): Promise<RowCounts> {
  await source.query('begin isolation level repeatable read read only')
  await target.query('begin')
  await source.query(`set local timezone = 'UTC'`)
  await target.query(`set local timezone = 'UTC'`)
  const wanted = await readShape(source)
  await makePartitions(target, await readShape(target), wanted)
  const shape = await readShape(target)
  requireSameShape(wanted, shape)
  const tables = [...shape.tables.keys()]
  const suspended = await suspendConstraints(target)
  await target.query(`truncate ${tables.join(', ')}`)
  const rows: RowCounts = {}
  for (const name of tables) {
    const columns = wanted.tables.get(name)?.columns ?? ''
    const from = `${name} (${columns})`
    const sent = await copyRows(source, from, target, from)
    const arrived = await digestRows(target, from)
    if (sent.text() !== arrived.text()) {
      throw new Error(
        `${name} did not arrive as it was sent: ${sent.rows()} rows left, ${arrived.rows()} are there.`,
      )
    }
    rows[name] = sent.rows()
  }
  for (const name of wanted.sequences) await copySequence(source, target, name)
  await restoreConstraints(target, suspended)
  await target.query('commit')
  await source.query('commit')
  return rows
}

/** Partitions follow the time in which rows were written, and a move that began anew may find some that are over. */
async function makePartitions(target: pg.Client, found: Shape, wanted: Shape): Promise<void> {
  for (const { name } of found.partitions) await target.query(`drop table ${name}`)
  for (const { name, parent, values } of wanted.partitions)
    await target.query(`create table ${name} partition of ${parent} ${values}`)
}

/** What would refuse or change rows on their way. */
type Suspended = {
  foreignKeys: { name: string; table: string; definition: string }[]
  policies: string[]
  triggers: string[]
}

async function suspendConstraints(target: pg.Client): Promise<Suspended> {
  const { rows: foreignKeys } = await target.query<Suspended['foreignKeys'][number]>(
    `select quote_ident(k.conname) as name, format('%I.%I', n.nspname, c.relname) as table, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and k.conparentid = 0 order by 2, 1`,
  )
  const namesWhere = async (condition: string) => {
    const { rows } = await target.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema') and ${condition} order by 1`,
    )
    return rows.map(({ name }) => name)
  }
  const policies = await namesWhere('c.relrowsecurity')
  const triggers = await namesWhere(
    `exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled = 'O')`,
  )
  for (const { table, name } of foreignKeys)
    await target.query(`alter table ${table} drop constraint ${name}`)
  // COPY does not write through policies, which hold for the owner of the tables too.
  for (const table of policies) await target.query(`alter table ${table} disable row level security`)
  for (const table of triggers) await target.query(`alter table ${table} disable trigger user`)
  return { foreignKeys, policies, triggers }
}

async function restoreConstraints(
  target: pg.Client,
  { foreignKeys, policies, triggers }: Suspended,
): Promise<void> {
  for (const { table, name, definition } of foreignKeys)
    await target.query(`alter table ${table} add constraint ${name} ${definition}`)
  for (const table of policies) await target.query(`alter table ${table} enable row level security`)
  for (const table of triggers) await target.query(`alter table ${table} enable trigger user`)
}

async function copySequence(source: pg.Client, target: pg.Client, name: string): Promise<void> {
  const { rows } = await source.query<{ value: string; isCalled: boolean }>(
    `select last_value::text as value, is_called as "isCalled" from ${name}`,
  )
  const [found] = rows
  if (found === undefined) throw new Error(`The sequence ${name} has no value`)
  await target.query('select setval($1::regclass, $2::bigint, $3)', [name, found.value, found.isCalled])
}
