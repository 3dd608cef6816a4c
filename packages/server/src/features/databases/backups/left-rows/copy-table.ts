import pg from 'pg'

import type { Admin } from '../../manage/open-admin.ts'
import { compareKeys } from './compare-keys.ts'
import { quotedTable, type TableShape } from './table-shape.ts'

export type Copied = { copied: number; refused: number; refusal: string | null }

const rowsAtOnce = 200
/** Classes of SQLSTATE by which a row is refused: a constraint that it breaks, or a trigger that raises. */
const refusals = /^(23|P0)/

/**
 * Copies the rows of a table whose keys only the old database has. What is there stays as it is. Repeated, it goes on where it
 * was: rows that were copied are there. A row that breaks a constraint is refused and counted, with the first reason.
 * `writer` has the rights of the owner of the current database, whose triggers and functions run as it writes.
 */
export async function copyTable(
  { old, current, writer }: { old: Admin; current: Admin; writer: Admin },
  shape: TableShape,
): Promise<Copied> {
  const keys: string[] = []
  for await (const { key, kind } of compareKeys(old, current, shape)) if (kind === 'left') keys.push(key)
  const result: Copied = { copied: 0, refused: 0, refusal: null }
  for (let from = 0; from < keys.length; from += rowsAtOnce) {
    // oxlint-disable-next-line no-await-in-loop -- in the order of the key
    const rows = await readRows(old, shape, keys.slice(from, from + rowsAtOnce))
    // oxlint-disable-next-line no-await-in-loop -- in the order of the key
    await insertRows(writer, shape, rows, result)
  }
  if (result.copied > 0) await advanceSequences(writer, shape)
  return result
}

/** The values of rows as texts, in the order of the columns. */
async function readRows(
  old: Admin,
  shape: TableShape,
  keys: readonly string[],
): Promise<(string | null)[][]> {
  const values = shape.columns.map(({ name }) => `t.${pg.escapeIdentifier(name)}::text`).join(', ')
  const typeOf = new Map(shape.columns.map(({ name, type }) => [name, type]))
  const wanted = shape.key.map((name, index) => `(k ->> ${index})::${typeOf.get(name) ?? 'text'}`)
  const own = shape.key.map((name) => `t.${pg.escapeIdentifier(name)}`)
  const { rows } = await old.query<{ values: (string | null)[] }>(
    `select array[${values}] as values from ${quotedTable(shape)} t
      where (${own.join(', ')}) in (select ${wanted.join(', ')} from jsonb_array_elements($1::jsonb) k)`,
    [`[${keys.join(',')}]`],
  )
  return rows.map((row) => row.values)
}

async function insertRows(
  writer: Admin,
  shape: TableShape,
  rows: readonly (readonly (string | null)[])[],
  result: Copied,
): Promise<void> {
  try {
    result.copied += await insert(writer, shape, rows, result)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !refusals.test(error.code ?? '')) throw error
    if (rows.length === 1) {
      result.refused += 1
      result.refusal ??= error.detail ?? error.message
      return
    }
    // One of them is refused: the others are not.
    for (const row of rows) {
      // oxlint-disable-next-line no-await-in-loop -- in the order of the key
      await insertRows(writer, shape, [row], result)
    }
  }
}

/** Answers how many rows were inserted; another unique constraint than the key may keep one out. */
async function insert(
  writer: Admin,
  shape: TableShape,
  rows: readonly (readonly (string | null)[])[],
  result: Copied,
): Promise<number> {
  const columns = shape.columns.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
  const values = shape.columns.map(({ type }, index) => `(r ->> ${index})::${type}`).join(', ')
  const inserted = await writer.query<{ n: string }>(
    `with done as (insert into ${quotedTable(shape)} (${columns}) overriding system value
       select ${values} from jsonb_array_elements($1::jsonb) r on conflict do nothing returning 1)
     select count(*) as n from done`,
    [JSON.stringify(rows)],
  )
  const n = Number(inserted.rows[0]?.n ?? 0)
  if (n < rows.length) {
    result.refused += rows.length - n
    result.refusal ??= 'Another row has the value of a unique column.'
  }
  return n
}

/** The next value of a sequence must not be one that was copied. */
async function advanceSequences(writer: Admin, shape: TableShape): Promise<void> {
  const table = quotedTable(shape)
  for (const { name } of shape.columns) {
    // oxlint-disable-next-line no-await-in-loop -- few columns have one
    const { rows } = await writer.query<{ sequence: string | null }>(
      'select pg_get_serial_sequence($1, $2) as sequence',
      [table, name],
    )
    const sequence = rows[0]?.sequence ?? null
    if (sequence === null) continue
    // oxlint-disable-next-line no-await-in-loop -- few columns have one
    await writer.query(
      `select setval($1::regclass, m.most) from (select max(${pg.escapeIdentifier(name)})::int8 as most from ${table}) m
        where m.most > coalesce(pg_sequence_last_value($1::regclass), 0)`,
      [sequence],
    )
  }
}
