import { type SQL, sql } from 'drizzle-orm'

import type { Db } from './database.ts'

/** How many rows of a list there are is counted up to here; more costs more than anybody gets from it. */
export const exactTotal = 10_000

/** What a list says of how many there are; without `totalIsExact` it is. */
export type Total = { total: number; totalIsExact?: false }

export function totalOf(count: number): Total {
  return count > exactTotal ? { total: exactTotal, totalIsExact: false } : { total: count }
}

/** Counts what a select finds, looking at no more than it takes to know. */
export async function countUpTo(db: Db, rows: SQL): Promise<Total> {
  const counted = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (${rows} limit ${exactTotal + 1}) counted`,
  )
  return totalOf(counted.rows[0]?.count ?? 0)
}
