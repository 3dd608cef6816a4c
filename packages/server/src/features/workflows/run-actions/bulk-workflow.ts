import type { Db } from '../../../platform/db/database.ts'
import type { Database } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { StepContext, WorkflowDefinition } from '../definition.ts'

export const bulkWorkflowKey = 'runs.bulk'

type Acts = {
  database: Database
  cancelRun(db: Db, runId: string, by: { userId: number | null }): Promise<string | undefined>
  /** A retry from the failed step; the same `startKey` makes one run only. */
  retryRun(
    db: Db,
    run: { organizationId: number; runId: string; createdBy: number | null; startKey: string },
  ): Promise<{ runId: string }>
}

/** Cancels or retries many runs, one after another; what was done before a crash is not done again. */
export function bulkWorkflow({ database, cancelRun, retryRun }: Acts): WorkflowDefinition {
  async function act(context: StepContext, runId: string): Promise<string> {
    const { organizationId, createdBy, id } = context.run
    return database.withTenant(organizationId, async (db) => {
      if (context.run.input['action'] === 'cancel') {
        const state = await cancelRun(db, runId, { userId: createdBy })
        return state === undefined ? 'it was over or stopping already' : 'cancel requested'
      }
      const startKey = `${id}:${runId}`
      const retried = await retryRun(db, { organizationId, runId, createdBy, startKey })
      return `retried as ${retried.runId}`
    })
  }

  async function execute(context: StepContext) {
    const runIds = context.run.input['runIds'] as string[]
    let done = 0
    let refused = 0
    for (const runId of runIds) {
      context.signal.throwIfAborted()
      try {
        context.log(`${runId}: ${await act(context, runId)}`)
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'unavailable') throw error
        refused += 1
        context.log(`${runId}: ${error.message}`, 'warning')
      }
      done += 1
      context.progress((100 * done) / runIds.length)
    }
    return { runs: runIds.length, refused }
  }

  return {
    key: bulkWorkflowKey,
    name: 'Cancel or retry runs',
    description: 'Cancels or retries the runs that a filter chose, with a line for each.',
    type: 'maintenance',
    steps: [
      { key: 'each_run', name: 'Each run', type: 'runs.bulk', guarantee: 'at_least_once_keyed', execute },
    ],
  }
}
