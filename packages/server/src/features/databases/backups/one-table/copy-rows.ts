import pg, { type Client } from 'pg'

import { type DefinedColumn } from './table-definition.ts'

/** About so many bytes are held at a time. */
const batchBytes = 4_000_000
const mostRows = 5_000
const firstRows = 100

/** Columns whose values are copied; those that are generated follow from them. */
export const storedColumns = (columns: readonly DefinedColumn[]) =>
  columns.filter(({ generated }) => generated === '')

/**
 * Copies the rows of one table into another one, in the transactions that both clients have begun, a few megabytes at a time.
 * Answers how many they were.
 */
export async function copyRows(
  from: { client: Client; table: string },
  to: { client: Client; table: string },
  columns: readonly DefinedColumn[],
  { signal, onBatch }: { signal: AbortSignal; onBatch: (rows: number) => void },
): Promise<number> {
  const stored = storedColumns(columns)
  const values = stored.map(({ name }) => `t.${pg.escapeIdentifier(name)}::text`)
  await from.client.query(
    `declare bey_rows no scroll cursor for select ${values.length === 0 ? '1' : values.join(', ')} from only ${from.table} t`,
  )
  const insert = insertOf(to.table, stored)
  let copied = 0
  let wanted = firstRows
  for (;;) {
    signal.throwIfAborted()
    // oxlint-disable-next-line no-await-in-loop -- a cursor is read in order
    const { rows } = await from.client.query<(string | null)[]>({
      text: `fetch ${wanted} from bey_rows`,
      rowMode: 'array',
    })
    if (rows.length === 0) break
    const arrays: unknown[] =
      stored.length === 0 ? [rows.length] : stored.map((_, index) => rows.map((row) => row[index]))
    // oxlint-disable-next-line no-await-in-loop -- in the order of the cursor
    await to.client.query(insert, arrays)
    copied += rows.length
    onBatch(copied)
    const bytes = rows.reduce(
      (sum, row) => sum + row.reduce((of, value) => of + (value?.length ?? 0) + 8, 0),
      0,
    )
    wanted = Math.max(1, Math.min(mostRows, Math.floor(batchBytes / Math.max(1, bytes / rows.length))))
  }
  await from.client.query('close bey_rows')
  return copied
}

function insertOf(table: string, stored: readonly DefinedColumn[]): string {
  if (stored.length === 0) return `insert into ${table} select from generate_series(1, $1)`
  const names = stored.map(({ name }) => pg.escapeIdentifier(name)).join(', ')
  const values = stored.map(({ type }, index) => `v.c${index}::${type}`).join(', ')
  const arrays = stored.map((_, index) => `$${index + 1}::text[]`).join(', ')
  const aliases = stored.map((_, index) => `c${index}`).join(', ')
  return `insert into ${table} (${names}) overriding system value select ${values} from unnest(${arrays}) as v(${aliases})`
}
