import { isRunOver } from '@bey/contract'
import { eq, sql } from 'drizzle-orm'

import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { readRun } from '../run-store.ts'
import { type Execution, inTenantWithRetry } from './execution.ts'

/** Notes that the waiting steps look at what was recorded, and answers whether the run is still this process's. */
export function lookAtRun(x: Execution): Promise<'over' | 'lost' | 'held'> {
  return inTenantWithRetry(x.parts, x.ref, async (db) => {
    const run = await readRun(db, x.ref.runId)
    if (run === undefined || isRunOver(run.status)) return 'over'
    if (run.executorId !== x.host.executorId) return 'lost'
    await db
      .update(workflowRuns)
      .set({ wakeRequestedAt: null })
      .where(sql`${eq(workflowRuns.id, run.id)} and ${workflowRuns.wakeRequestedAt} is not null`)
    return 'held'
  })
}
