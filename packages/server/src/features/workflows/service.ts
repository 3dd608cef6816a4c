import type { EngineStatus } from '@bey/contract'

import type { Member } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Interpreter } from '../../platform/engine/interpreter.ts'
import { createApprovalReads } from './runs/approvals/reads.ts'
import { createBuiltIns } from './definition/built-ins.ts'
import { createInterpreter } from './engine/create-interpreter.ts'
import { executionParts } from './engine/parts.ts'
import { countActive, readEngineStatus } from './engine/status.ts'
import type { StartRun, WorkflowParts } from './parts.ts'
import { cancelRun, requestCancel } from './runs/cancel.ts'
import { createRunReads } from './runs/reads.ts'
import { bulkWorkflow } from './runs/actions/bulk-workflow.ts'
import { retryRun } from './runs/actions/retry.ts'
import { runActionRoutes } from './runs/actions/routes.ts'
import { startRun } from './runs/starting/start-built-in.ts'
import { startWorkflowRun, type StartWorkflowRun } from './runs/starting/start-workflow-run.ts'
import { createStepReads } from './runs/step-reads.ts'
import { listRunsById } from './store.ts'
import { createWorkflowReads } from './workflow-reads.ts'
import { createWorkflowStatistics } from './workflow-statistics.ts'

/** Workflows and their runs, for the routes and for features whose long operations are runs. */
export function createWorkflows({ version, ...parts }: WorkflowParts & { version: string }) {
  const builtIns = createBuiltIns(parts)
  return {
    ...createWorkflowReads(parts, builtIns),
    ...createRunReads(parts),
    ...createStepReads(parts),
    ...createApprovalReads(parts),
    ...createWorkflowStatistics(parts),
    ensureBuiltIns: builtIns.ensure,
    startRun: (db: Db, start: StartRun) => startRun(parts, builtIns, db, start),
    startWorkflowRun: (db: Db, start: StartWorkflowRun) => startWorkflowRun(parts, db, start),
    cancelRun: (db: Db, runId: string, by: { userId: number | null }) => cancelRun(parts, db, runId, by),
    cancel: (workflowId: string, runId: string, who: Member) => requestCancel(parts, workflowId, runId, who),
    actions: runActionRoutes(parts, builtIns),
    /** The built-in workflow that acts on many runs. */
    bulkWorkflow: () =>
      bulkWorkflow({
        database: parts.database,
        findRun: async (db, organizationId, runId) => (await listRunsById(db, organizationId, [runId])).at(0),
        cancelRun: (db, runId, by) => cancelRun(parts, db, runId, by),
        retryRun: (db, run) => retryRun(parts, db, run, { mode: 'from_failed', version: 'pinned' }),
      }),
    /** Executes runs for the engine. */
    interpreter: (rest: Parameters<typeof executionParts>[1]): Interpreter =>
      createInterpreter(executionParts(parts, rest)),
    /** What followers of the engine's status receive. */
    engineEvent: async (organizationId: number) => ({
      activeWorkflows: await parts.database.readOnce(organizationId, (db) => countActive(db, organizationId)),
      status: parts.engine.state().status,
    }),
    engineStatus: (organizationId: number): Promise<EngineStatus> =>
      readEngineStatus(parts, version, organizationId),
  }
}

export type Workflows = ReturnType<typeof createWorkflows>
