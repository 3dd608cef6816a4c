import { isRunOver } from '@bey/contract'
import { eq, sql } from 'drizzle-orm'

import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { readRun, readStepsByKey, type StepRow } from '../runs/store.ts'
import { type Execution, inTenantWithRetry } from './execution.ts'

type Ownership = 'over' | 'lost' | 'held'

/** Whether the run is still this process's, and the step still at the attempt that is to be executed. */
export function checkAttempt(x: Execution, { key, attempt }: StepRow): Promise<Ownership> {
  return inTenantWithRetry(x.parts, x.ref, async (db) => {
    const [run, [step]] = await Promise.all([
      readRun(db, x.ref.runId),
      readStepsByKey(db, x.ref.runId, [key]),
    ])
    const ownership = ownershipOf(x, run)
    if (ownership !== 'held') return ownership
    // Another execution of the run in this process may have left it to a person, who had it repeated.
    return step?.status === 'running' && step.attempt === attempt ? 'held' : 'lost'
  })
}

/** Notes that the waiting steps look at what was recorded, and answers whether the run is still this process's. */
export function checkRun(x: Execution): Promise<Ownership> {
  return inTenantWithRetry(x.parts, x.ref, async (db) => {
    const run = await readRun(db, x.ref.runId)
    const ownership = ownershipOf(x, run)
    if (run === undefined || ownership !== 'held') return ownership
    await db
      .update(workflowRuns)
      .set({ wakeRequestedAt: null })
      .where(sql`${eq(workflowRuns.id, run.id)} and ${workflowRuns.wakeRequestedAt} is not null`)
    return ownership
  })
}

function ownershipOf(x: Execution, run: Awaited<ReturnType<typeof readRun>>): Ownership {
  if (run === undefined || isRunOver(run.status)) return 'over'
  return run.executorId === x.host.executorId ? 'held' : 'lost'
}
