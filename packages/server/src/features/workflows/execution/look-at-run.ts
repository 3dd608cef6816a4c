import { isRunOver } from '@bey/contract'
import { eq, sql } from 'drizzle-orm'

import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { readRun } from '../run-store.ts'
import { type Execution, inTenantWithRetry } from './execution.ts'

type Standing = 'over' | 'lost' | 'held'

/** Whether the run is still this process's. */
export function standingOfRun(x: Execution): Promise<Standing> {
  return inTenantWithRetry(x.parts, x.ref, async (db) => standingOf(x, await readRun(db, x.ref.runId)))
}

/** The same, noting that the waiting steps look at what was recorded. */
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
