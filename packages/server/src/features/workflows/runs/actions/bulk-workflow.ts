import type { Db } from '../../../../platform/db/database.ts'
import type { Database } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { RunFacts, StepContext, WorkflowDefinition } from '../../definition/definition.ts'

export const bulkWorkflowKey = 'runs.bulk'

type Acts = {
  database: Database
  findRun(
    db: Db,
    organizationId: number,
    runId: string,
  ): Promise<{ workflowId: string; workflowName: string } | undefined>
  cancelRun(db: Db, runId: string, by: { userId: number | null }): Promise<string | undefined>
  /** A retry from the failed step; the same `startKey` makes one run only. */
  retryRun(
    db: Db,
    run: Pick<RunFacts, 'organizationId' | 'createdBy' | 'keyId'> & { runId: string; startKey: string },
  ): Promise<{ runId: string }>
}

/** Cancels or retries many runs, one after another; what was done before a crash is not done again. */
export function bulkWorkflow({ database, findRun, cancelRun, retryRun }: Acts): WorkflowDefinition {
  async function act(context: StepContext, runId: string): Promise<string> {
    const { organizationId, createdBy, keyId = null, id } = context.run
    return database.withTenant(organizationId, async (db) => {
      const run = await findRun(db, organizationId, runId)
      if (run === undefined) return `${runId}: it is gone`
      const line = (result: string, id: string) =>
        `${run.workflowName}: ${result} ${runPath(run.workflowId, id)}`
      if (context.run.input['action'] === 'cancel') {
        const state = await cancelRun(db, runId, { userId: createdBy })
        return line(state === undefined ? 'over or stopping already' : 'cancel requested', runId)
      }
      const startKey = `${id}:${runId}`
      const retried = await retryRun(db, { organizationId, runId, createdBy, keyId, startKey })
      return line('retried as', retried.runId)
    })
  }

  async function refusal(context: StepContext, runId: string, { message }: AppError): Promise<string> {
    const { organizationId } = context.run
    const run = await database.readTenant(organizationId, (db) => findRun(db, organizationId, runId))
    return run === undefined
      ? `${runId}: ${message}`
      : `${run.workflowName}: ${message} ${runPath(run.workflowId, runId)}`
  }

  async function execute(context: StepContext) {
    const runIds = context.run.input['runIds'] as string[]
    let done = 0
    let refused = 0
    for (const runId of runIds) {
      context.signal.throwIfAborted()
      try {
        context.log(await act(context, runId))
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'unavailable') throw error
        refused += 1
        context.log(await refusal(context, runId, error), 'warning')
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

/** Where the console shows the run; its log makes a link of it. */
const runPath = (workflowId: string, runId: string) => `/workflows/${workflowId}/runs/${runId}`
