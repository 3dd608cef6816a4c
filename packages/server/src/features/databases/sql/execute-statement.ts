import { sqlLimits, type SqlResult } from '@bey/contract'
import type { Client, FieldDef, QueryResult } from 'pg'

import type { Clock } from '../../../platform/clock.ts'
import { StatementCursor } from '../../../platform/db/statement-cursor.ts'
import type { BoundStatement } from './bind-parameters.ts'
import { isRefusal, sqlErrorOf } from './sql-error.ts'

type Request = {
  statement: BoundStatement
  maxRows: number
  timeoutMs: number
  mode: 'read' | 'write'
  /** The name of the session from the moment at which the statement can be cancelled. */
  name?: string
}
type Row = (string | null)[]
type Batch = { rows: Row[]; result: QueryResult }

/** Rows of the first batch: nothing is known of their size yet. */
const firstBatch = 4
const largestBatch = 500
/** About this much is read at once, so that wide rows do not fill the memory. */
const batchBytes = 256 * 1024
/** More is not read from the server for one answer, however little of it is shown. */
const maxReadBytes = 12 * 1024 * 1024
const maxNotices = 100

/** Values as the server writes them. */
const asText = { getTypeParser: () => (value: string) => value }

/**
 * Executes one statement and reads its rows by a cursor, at most so many and so many bytes. In the mode `read` it is in a
 * transaction that PostgreSQL itself keeps from changing anything; in the mode `write` it is on its own, so that commands
 * work that no transaction allows. What the server refuses is in the result; a lost connection is thrown.
 */
export async function executeStatement(client: Client, request: Request, clock: Clock): Promise<SqlResult> {
  const notices: string[] = []
  client.on('notice', ({ severity, message }) => {
    if (notices.length < maxNotices) notices.push(`${severity ?? 'NOTICE'}: ${message ?? ''}`)
  })
  await prepareSession(client, request)
  const begunMs = clock.monotonicMs()
  const base = { columns: [], rows: [], command: null, affectedRows: null, isTruncated: false, cutValues: 0 }
  try {
    const { fields, ...read } = await readRows(client, request)
    const durationMs = clock.monotonicMs() - begunMs
    return { ...base, ...read, columns: await columnsOf(client, fields), durationMs, notices, error: null }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const durationMs = clock.monotonicMs() - begunMs
    return { ...base, durationMs, notices, error: sqlErrorOf(error, request.statement) }
  } finally {
    // The connection ends after this: nothing of the transaction stays.
    if (request.mode === 'read') await client.query('rollback').catch(() => undefined)
  }
}

/** Bounds of a session that serves one statement; its name, if one is given, follows them. */
export async function prepareSession(
  client: Client,
  { timeoutMs, mode, name }: Pick<Request, 'timeoutMs' | 'mode'> & { name?: string | undefined },
): Promise<void> {
  await client.query(`set statement_timeout = ${timeoutMs}`)
  await client.query(`set lock_timeout = ${Math.min(timeoutMs, 10_000)}`)
  await client.query(`set idle_in_transaction_session_timeout = ${timeoutMs + 30_000}`)
  if (mode === 'read') await client.query('begin transaction read only')
  // Last, so that no request to cancel the statement ends one of those before it.
  if (name !== undefined) await client.query(`set application_name = ${client.escapeLiteral(name)}`)
}

async function readRows(client: Client, { statement, maxRows }: Request) {
  const { text, values } = statement
  const cursor = client.query(new StatementCursor<Row>(text, values, { rowMode: 'array', types: asText }))
  const rows: Row[] = []
  let bytes = 0
  let readBytes = 0
  let cutValues = 0
  let isTruncated = false
  let last: QueryResult | undefined
  let size = Math.min(firstBatch, maxRows + 1)
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one batch after the other
    const { rows: batch, result } = await readBatch(cursor, size)
    last = result
    for (const row of batch) {
      if (rows.length >= maxRows || bytes > sqlLimits.maxBytes || readBytes > maxReadBytes) {
        isTruncated = true
        break
      }
      readBytes += row.reduce((sum, value) => sum + (value?.length ?? 0), 0)
      const shown = row.map((value) => {
        if (value === null || value.length <= sqlLimits.valueChars) return value
        cutValues += 1
        return beginningOf(value, sqlLimits.valueChars)
      })
      bytes += shown.reduce((sum, value) => sum + (value?.length ?? 0) + 4, 0)
      rows.push(shown)
    }
    if (isTruncated || batch.length < size) break
    const rowBytes = Math.max(1, readBytes / rows.length)
    size = Math.min(largestBatch, maxRows - rows.length + 1, Math.ceil(batchBytes / rowBytes))
  }
  await cursor.close()
  const { command, rowCount, fields } = last
  const counted = fields.length > 0 && rowCount !== null ? Math.max(rowCount, rows.length) : rowCount
  return {
    rows,
    isTruncated,
    cutValues,
    fields,
    // A cursor that is left before its end is told no command.
    command: command ?? (isTruncated ? 'SELECT' : null),
    affectedRows: isTruncated ? null : (counted ?? null),
  }
}

/** Copied: a part of a string keeps all of it in memory. */
function beginningOf(value: string, length: number): string {
  return Buffer.from(value.slice(0, length), 'utf16le').toString('utf16le')
}

function readBatch(cursor: StatementCursor<Row>, size: number): Promise<Batch> {
  return new Promise((resolve, reject) => {
    cursor.read(size, (error: Error | undefined, rows, result) => {
      if (error) reject(error)
      else resolve({ rows, result })
    })
  })
}

/** Names of the columns with their types as SQL writes them. */
async function columnsOf(client: Client, fields: readonly FieldDef[]): Promise<SqlResult['columns']> {
  if (fields.length === 0) return []
  const types = await client.query<{ type: string; category: string }>(
    `select format_type(asked.id, asked.modifier) as type, coalesce(typcategory, '') as category
       from unnest($1::oid[], $2::int[]) with ordinality as asked (id, modifier, place)
       left join pg_type on pg_type.oid = asked.id order by asked.place`,
    [fields.map(({ dataTypeID }) => dataTypeID), fields.map(({ dataTypeModifier }) => dataTypeModifier)],
  )
  return fields.map(({ name }, index) => {
    const found = types.rows[index]
    return { name, type: found?.type ?? '', isNumeric: found?.category === 'N' }
  })
}
