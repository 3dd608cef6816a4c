import { eq, and } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import type { Interruption, RunEvent } from '../../../platform/engine/interpreter.ts'
import { stepRuns } from '../../../tables/step-runs.ts'
import type { LockedRun } from '../runs/store.ts'
import { endedRun } from './end-step.ts'
import { type Execution, type EventResult, record, withLockedRun } from './execution.ts'
import { unchanged } from './run-change.ts'

/** Ends a run of which nothing is under way any more. */
export async function endRun(x: Execution): Promise<RunEvent | Interruption> {
  const ending = x.schedule.ending()
  const finished = await withLockedRun(x, [], async (db, run): Promise<EventResult> => {
    const message = ending.status === 'failed' ? await failureOf(db, run, ending.key) : undefined
    await record(x, db, run, await endedRun(x, db, run, unchanged(run), ending, message))
    return { kind: 'event', event: { result: 'finished', over: true } }
  })
  if (finished === 'lost') return 'lost'
  return finished === 'over' ? { result: 'over', over: true } : finished.event
}

async function failureOf(db: Db, run: LockedRun, key: string): Promise<string> {
  const [step] = await db
    .select({ error: stepRuns.error, output: stepRuns.output })
    .from(stepRuns)
    .where(and(eq(stepRuns.runId, run.id), eq(stepRuns.key, key)))
  const said = step?.output?.['message']
  return step?.error?.message ?? (typeof said === 'string' && said !== '' ? said : 'The workflow failed.')
}
