import { sql } from 'drizzle-orm'

import type { Db } from '../platform/db/database.ts'

/** How many rows of a table PostgreSQL reads for `work`, in the transaction of `db`: what a plan costs, counted. */
export async function rowsRead(db: Db, table: string, work: () => Promise<unknown>): Promise<number> {
  const before = await readSoFar(db, table)
  await work()
  return (await readSoFar(db, table)) - before
}

/** Rows that scans of the table returned, and rows that were fetched by way of its indexes. */
async function readSoFar(db: Db, table: string): Promise<number> {
  const { rows } = await db.execute<{ seq_tup_read: string; idx_tup_fetch: string }>(
    sql`select seq_tup_read, idx_tup_fetch from pg_stat_xact_user_tables where relname = ${table}`,
  )
  const [row] = rows
  if (row === undefined) throw new Error(`There is no table ${table}`)
  return Number(row.seq_tup_read) + Number(row.idx_tup_fetch)
}
