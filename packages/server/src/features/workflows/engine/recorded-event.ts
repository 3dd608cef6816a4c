import { and, eq, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import type { RunEvent } from '../../../platform/engine/interpreter.ts'
import { stepRuns } from '../../../tables/step-runs.ts'
import type { LockedRun, StepRow } from '../runs/store.ts'

/** The event that the recorded end of a step, or the recorded beginning of a loop, represents. */
export async function recordedEvent(
  db: Db,
  run: LockedRun,
  { key, status, type }: StepRow,
): Promise<RunEvent> {
  if (status === 'running') return { key, result: 'expanded', count: await countIterations(db, run.id, key) }
  if (status === 'succeeded' && type === 'stop') {
    const [row] = await db
      .select({ output: stepRuns.output })
      .from(stepRuns)
      .where(and(eq(stepRuns.runId, run.id), eq(stepRuns.key, key)))
    return { key, result: 'stopped', end: row?.output?.['status'] === 'failed' ? 'failed' : 'completed' }
  }
  return { key, result: status }
}

async function countIterations(db: Db, runId: string, key: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(stepRuns)
    .where(and(eq(stepRuns.runId, runId), eq(stepRuns.parentKey, key)))
  return row?.count ?? 0
}
