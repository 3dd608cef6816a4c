import { sql } from 'drizzle-orm'

import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/locks.ts'
import { floorTo, type Step, steps } from './steps.ts'

const schema = 'metric_partitions'
/** Partitions that exist before they are needed, so that a process that is late finds one. */
const ahead = 2
/** Making and dropping locks the parent: rather later than in the way of everybody. */
const lockTimeout = sql`set local lock_timeout = '3s'`

/** Makes the partitions that hold what may be written now; safe to repeat, and by several processes at once. */
export async function makePartitions(db: Db, now: Date): Promise<void> {
  const missing = await missingPartitions(db, now)
  if (missing.length === 0) return
  await db.execute(lockTimeout)
  await lockUntilCommit(db, 'metricPartitions')
  for (const { name, table, fromMs, toMs } of missing) {
    await db.execute(
      sql.raw(
        `create table if not exists ${schema}.${name} partition of ${table}
         for values from ('${new Date(fromMs).toISOString()}') to ('${new Date(toMs).toISOString()}')`,
      ),
    )
  }
}

/** Drops the partitions in which every point has run out. */
export async function dropPartitions(db: Db, now: Date): Promise<number> {
  const known = await listPartitions(db)
  const expired = Object.values(steps).flatMap(({ table, keptMs, partitionMs }) =>
    known.filter((name) => {
      const fromMs = beginning(name, table)
      return fromMs !== undefined && fromMs + partitionMs <= now.getTime() - keptMs
    }),
  )
  if (expired.length === 0) return 0
  await db.execute(lockTimeout)
  await lockUntilCommit(db, 'metricPartitions')
  for (const name of expired) await db.execute(sql.raw(`drop table if exists ${schema}.${name}`))
  return expired.length
}

type Partition = { name: string; table: string; fromMs: number; toMs: number }

async function missingPartitions(db: Db, now: Date): Promise<Partition[]> {
  const known = new Set(await listPartitions(db))
  return (Object.keys(steps) as Step[])
    .flatMap((step) => neededPartitions(step, now.getTime()))
    .filter(({ name }) => !known.has(name))
}

function neededPartitions(step: Step, nowMs: number): Partition[] {
  const { table, keptMs, partitionMs } = steps[step]
  const needed: Partition[] = []
  const lastMs = floorTo(nowMs, partitionMs) + ahead * partitionMs
  for (let fromMs = floorTo(nowMs - keptMs, partitionMs); fromMs <= lastMs; fromMs += partitionMs) {
    needed.push({ name: `${table}_${fromMs / 1000}`, table, fromMs, toMs: fromMs + partitionMs })
  }
  return needed
}

/** A partition is named for the second of the epoch at which it begins. */
function beginning(name: string, table: string): number | undefined {
  if (!name.startsWith(`${table}_`)) return undefined
  const seconds = Number(name.slice(table.length + 1))
  return Number.isSafeInteger(seconds) ? seconds * 1000 : undefined
}

async function listPartitions(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select c.relname as name from pg_class c where c.relnamespace = ${schema}::regnamespace and c.relkind = 'r'`,
  )
  return rows.map(({ name }) => name)
}
