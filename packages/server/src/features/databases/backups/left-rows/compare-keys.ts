import pg from 'pg'

import type { Admin } from '../../manage/open-admin.ts'
import { keyText, quotedTable, type TableShape } from './table-shape.ts'

type Row = { key: string; hash: string }
export type Difference = { key: string; kind: 'left' | 'differing' }

const fetchedRows = 5_000
/** Larger tables are not compared: both would have to be sorted. */
const maxBytes = 512 * 1024 ** 2

export class TooLarge extends Error {}

/**
 * Walks through a table of two servers in the order of its key, and yields what only the old one has, and what differs. What
 * only the new one has was written since, and is not yielded. Throws TooLarge, also where sorting takes too long.
 */
export async function* compareKeys(
  old: Pick<Admin, 'query'>,
  current: Pick<Admin, 'query'>,
  shape: TableShape,
): AsyncGenerator<Difference> {
  if (shape.bytes > maxBytes) throw new TooLarge()
  const [before, now] = [rowsOf(old, shape), rowsOf(current, shape)]
  try {
    let there = await now.next()
    for await (const { key, hash } of before) {
      while (!there.done && isBefore(there.value.key, key)) there = await now.next()
      if (there.done || there.value.key !== key) yield { key, kind: 'left' }
      else if (there.value.hash !== hash) yield { key, kind: 'differing' }
    }
  } finally {
    await before.return(undefined)
    await now.return(undefined)
  }
}

/** The order of `collate "C"`: by bytes of UTF-8. */
const isBefore = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0

async function* rowsOf(admin: Pick<Admin, 'query'>, shape: TableShape): AsyncGenerator<Row, void> {
  const columns = shape.columns.map(({ name }) => `t.${pg.escapeIdentifier(name)}`).join(', ')
  await admin.query('begin isolation level repeatable read read only')
  try {
    await admin.query(
      `declare bey_rows no scroll cursor for
       select ${keyText(shape)} collate "C" as key, md5(row(${columns})::text) as hash
         from ${quotedTable(shape)} t order by 1`,
    )
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a part after the other
      const { rows } = await admin.query<Row>(`fetch ${fetchedRows} from bey_rows`)
      yield* rows
      if (rows.length < fetchedRows) return
    }
  } catch (error) {
    // Its sort was cancelled.
    if (error instanceof pg.DatabaseError && error.code === '57014')
      throw new TooLarge('Sorting took too long', { cause: error })
    throw error
  } finally {
    await admin.query('rollback')
  }
}
