import type { Db } from '../../../platform/db/database.ts'
import type { LockedRun } from '../runs/store.ts'

/**
 * Starts the run of a sub-workflow in the caller's transaction. `workflow`: its id or name. Throws AppError where there is
 * none, it may not be started, its input does not fit, or the sub-workflows are too deep.
 */
export type StartChild = (
  db: Db,
  child: {
    run: LockedRun
    stepKey: string
    workflow: string
    version: number | undefined
    input: Record<string, unknown>
  },
) => Promise<{ workflowId: string; runId: string }>
