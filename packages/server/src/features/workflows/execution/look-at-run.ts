import { isRunOver } from '@bey/contract'
import { eq, sql } from 'drizzle-orm'

import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { readRun, readStepsByKey, type StepRow } from '../run-store.ts'
import { type Execution, inTenantWithRetry } from './execution.ts'

type Standing = 'over' | 'lost' | 'held'

/** Whether the run is still this process's, and the step still at the attempt that is to be executed. */
export function standingOfStep(x: Execution, { key, attempt }: StepRow): Promise<Standing> {
  return inTenantWithRetry(x.parts, x.ref, async (db) => {
    const [run, [step]] = await Promise.all([
      readRun(db, x.ref.runId),
      readStepsByKey(db, x.ref.runId, [key]),
    ])
    const standing = standingOf(x, run)
    if (standing !== 'held') return standing
    // Another execution of the run in this process may have left it to a person, who had it repeated.
    return step?.status === 'running' && step.attempt === attempt ? 'held' : 'lost'
  })
}

/** Notes that the waiting steps look at what was recorded, and answers whether the run is still this process's. */
export function lookAtRun(x: Execution): Promise<Standing> {
  return inTenantWithRetry(x.parts, x.ref, async (db) => {
    const run = await readRun(db, x.ref.runId)
    const standing = standingOf(x, run)
    if (run === undefined || standing !== 'held') return standing
    await db
      .update(workflowRuns)
      .set({ wakeRequestedAt: null })
      .where(sql`${eq(workflowRuns.id, run.id)} and ${workflowRuns.wakeRequestedAt} is not null`)
    return standing
  })
}

function standingOf(x: Execution, run: Awaited<ReturnType<typeof readRun>>): Standing {
  if (run === undefined || isRunOver(run.status)) return 'over'
  return run.executorId === x.host.executorId ? 'held' : 'lost'
}
