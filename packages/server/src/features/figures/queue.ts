import { sql } from 'drizzle-orm'

import type { Database } from '../../platform/db/database.ts'
import { isLiving } from '../../platform/engine/living.ts'

export type Queue = { depth: number; oldestMs: number; waiting: number; workers: number }

type Row = { depth: number; oldest_ms: number | null; waiting: number; workers: number }

/** What waits in the queue of all organizations, and how many processes work at it. */
export async function readQueue(database: Database): Promise<Queue> {
  const { rows } = await database.asSystem('figures of the engine', (db) =>
    db.execute<Row>(sql`
      select count(*) filter (where status = 'queued')::int as depth,
        (extract(epoch from now() - min(queued_at) filter (where status = 'queued')) * 1000)::float8 as oldest_ms,
        count(*) filter (where status = 'waiting')::int as waiting,
        (select count(*)::int from processes p where ${isLiving}) as workers
      from workflow_runs where finished_at is null`),
  )
  const [row] = rows
  return {
    depth: row?.depth ?? 0,
    oldestMs: row?.oldest_ms ?? 0,
    waiting: row?.waiting ?? 0,
    workers: row?.workers ?? 0,
  }
}
