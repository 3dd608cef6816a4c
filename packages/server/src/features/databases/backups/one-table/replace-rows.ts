import pg, { type Client } from 'pg'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { storedColumns } from './copy-rows.ts'
import { readDefinition, type TableDefinition, type TableName } from './table-definition.ts'
import { triggerState } from './tie-table.ts'

const id = pg.escapeIdentifier
/** Where rows wait for their place, until the transaction ends. */
export const waitingTable = 'pg_temp.bey_restored_rows'
const lockMs = 30_000

/**
 * The table whose rows are replaced, as it is now. Throws StepFailure where it is gone, has other columns, or rows of other
 * tables refer to it.
 */
export async function requireReplaceable(client: Client, then: TableDefinition): Promise<TableDefinition> {
  const now = await readNow(client, then)
  const called = `"${then.schema}.${then.name}"`
  const columns = (of: TableDefinition) =>
    storedColumns(of.columns)
      .map(({ name, type }) => `${name} ${type}`)
      .toSorted()
  if (JSON.stringify(columns(now)) !== JSON.stringify(columns(then))) {
    throw new StepFailure(
      `The rows of ${called} do not fit any more: it had the columns ${columns(then).join(', ')}. Restore it beside.`,
    )
  }
  const [key] = now.incoming
  if (key !== undefined) {
    throw new StepFailure(
      `Rows of ${key.quoted} refer to ${called} (${key.constraint}), so its rows cannot be replaced at once. Restore it beside, and copy what you need.`,
    )
  }
  return now
}

async function readNow(client: Client, { schema, name }: TableName): Promise<TableDefinition> {
  const { rows } = await client.query('select to_regclass($1) as found', [`${id(schema)}.${id(name)}`])
  if (rows[0]?.found == null)
    throw new StepFailure(
      `"${schema}.${name}" is not there any more, so it has no rows to replace. Restore it as a table.`,
    )
  return readDefinition(client, { schema, name })
}

/** Makes the table in which the rows wait. */
export async function makeWaitingTable(client: Client, { columns }: TableDefinition): Promise<void> {
  const stored = storedColumns(columns)
  await client.query(
    `create temp table bey_restored_rows (${stored.map(({ name, type }) => `${id(name)} ${type}`).join(', ')}) on commit drop`,
  )
}

/**
 * Puts the rows that wait in the place of all rows of the table. Others wait for it from here on. Triggers do not fire, and
 * sequences never go back.
 */
export async function replaceRows(client: Client, then: TableDefinition): Promise<void> {
  await client.query(`set local lock_timeout = ${lockMs}`)
  const { quoted } = then
  await client.query(`lock table ${quoted} in access exclusive mode`)
  const now = await requireReplaceable(client, then)
  const names = storedColumns(then.columns)
    .map(({ name }) => id(name))
    .join(', ')
  await client.query(`alter table ${quoted} disable trigger user`)
  await client.query(`truncate only ${quoted}`)
  await client.query(
    `insert into ${quoted} (${names}) overriding system value select ${names} from ${waitingTable}`,
  )
  for (const { name, state } of now.triggers)
    await client.query(`alter table ${quoted} ${triggerState(state)} ${id(name)}`)
  for (const { quoted: sequence, column } of now.sequences)
    await client.query(
      `select setval($1::regclass, m.most) from (select max(${id(column)})::int8 as most from ${quoted}) m
        where m.most > coalesce(pg_sequence_last_value($1::regclass), 0)`,
      [sequence],
    )
}
