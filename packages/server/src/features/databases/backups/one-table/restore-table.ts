import pg, { type Client } from 'pg'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { textSettings } from '../left-rows/table-shape.ts'
import { copyRows } from './copy-rows.ts'
import { freeName, isTaken } from './free-name.ts'
import { addConstraints, addPolicies, makeTable, setSequences } from './make-table.ts'
import { makeWaitingTable, replaceRows, requireReplaceable, waitingTable } from './replace-rows.ts'
import { readDefinition, type TableDefinition, type TableName } from './table-definition.ts'
import { grantRights, tieTable } from './tie-table.ts'

export type TableWish = TableName & { wanted: string | null; replaces: boolean }
export type TableResult = { into: string; rows: number }

type Step = { log: (line: string) => void; signal: AbortSignal }

/** A cursor or a transaction must not be ended by what a database sets for its own clients. */
const settings = `${textSettings}; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0`

/**
 * Copies one table of a restored server into a running one, in one transaction there: whatever ends it before its commit leaves
 * nothing behind. `beforeCommit` gets the id of that transaction and what it wrote. Throws StepFailure in words for what
 * people can mend.
 */
export async function restoreTable(
  clients: { restored: Client; live: Client },
  wish: TableWish,
  moment: Date,
  beforeCommit: (xid: string, result: TableResult) => Promise<void>,
  step: Step,
): Promise<TableResult> {
  const { restored, live } = clients
  try {
    await restored.query(settings)
    await live.query(settings)
    await restored.query('begin isolation level repeatable read, read only')
    const definition = await readDefinition(restored, wish)
    await live.query('begin')
    const result = wish.replaces
      ? await replace(clients, definition, step)
      : await make(clients, definition, await nameOf(live, wish, moment), step)
    const { rows } = await live.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
    await beforeCommit(rows[0]?.xid ?? '', result)
    await live.query('commit')
    return result
  } catch (error) {
    await live.query('rollback').catch(() => undefined)
    throw error instanceof pg.DatabaseError ? refused(error) : error
  }
}

/** How the transaction ended that an interrupted call was in. */
export async function endOf(live: Client, xid: string): Promise<'committed' | 'under way' | 'undone'> {
  try {
    const { rows } = await live.query<{ status: string | null }>(
      'select pg_xact_status($1::xid8) as status',
      [xid],
    )
    const status = rows[0]?.status
    return status === 'committed' ? 'committed' : status === 'in progress' ? 'under way' : 'undone'
  } catch (error) {
    // One of the future: the server was itself put back to before it.
    if (error instanceof pg.DatabaseError) return 'undone'
    throw error
  }
}

async function nameOf(live: Client, { schema, name, wanted }: TableWish, moment: Date): Promise<string> {
  if (wanted !== null) {
    if (await isTaken(live, schema, wanted))
      throw new StepFailure(`There is something called "${schema}.${wanted}" already. Choose another name.`)
    return wanted
  }
  return (await isTaken(live, schema, name)) ? freeName(live, schema, name, moment) : name
}

async function make(
  { restored, live }: { restored: Client; live: Client },
  definition: TableDefinition,
  name: string,
  { log, signal }: Step,
): Promise<TableResult> {
  const isOwnName = name === definition.name
  if (definition.isPartition) log('It was a part of another table, and is a table by itself now.')
  if (definition.rules > 0) log('Its rules were left out.')
  const table = await makeTable(live, definition, name, log)
  const rows = await copyRows(
    { client: restored, table: definition.quoted },
    { client: live, table: table.quoted },
    definition.columns,
    { signal, onBatch: progress(log) },
  )
  await setSequences(live, table)
  await addConstraints(live, table, definition)
  await grantRights(live, table, definition, log)
  if (isOwnName) await tieTable(live, table, definition, log)
  else if (definition.triggers.length > 0 || definition.constraints.some(({ kind }) => kind === 'f'))
    log('Its foreign keys and triggers were left out: the copy beside it holds nothing else up.')
  await addPolicies(live, table, definition)
  return { into: name, rows }
}

async function replace(
  { restored, live }: { restored: Client; live: Client },
  definition: TableDefinition,
  { log, signal }: Step,
): Promise<TableResult> {
  await requireReplaceable(live, definition)
  await makeWaitingTable(live, definition)
  const rows = await copyRows(
    { client: restored, table: definition.quoted },
    { client: live, table: waitingTable },
    definition.columns,
    { signal, onBatch: progress(log) },
  )
  await replaceRows(live, definition)
  return { into: definition.name, rows }
}

/** A line each time that twice as many rows are there. */
function progress(log: (line: string) => void) {
  let next = 100_000
  return (rows: number) => {
    if (rows < next) return
    log(`${rows} rows are copied.`)
    next *= 2
  }
}

function refused(error: pg.DatabaseError): StepFailure {
  const { message, detail } = error
  const said = `${message}${detail === undefined ? '' : `: ${detail.replaceAll('\n', '; ')}`}`
  return new StepFailure(`PostgreSQL refused it, and nothing was changed: ${said.replace(/\.?$/, '.')}`, {
    cause: error,
  })
}
