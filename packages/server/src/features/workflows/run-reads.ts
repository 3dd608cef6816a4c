import type { Db } from '../../platform/db/database.ts'
import { definitionOf, missing, type WorkflowParts } from './parts.ts'
import { presentLog, presentRun, presentStep, presentWorkflow } from './present.ts'
import { readSteps } from './run-store.ts'
import {
  findRun,
  findRunStatus,
  findWorkflow,
  listLogs,
  listRuns,
  listSteps,
  type LogWindow,
  type RunFilter,
} from './store.ts'

/** Lines of a log that come with a run; earlier ones are asked for. */
export const logsShown = 200

/** What is asked about runs. */
export function createRunReads(parts: Pick<WorkflowParts, 'database' | 'definitions'>) {
  const { database } = parts
  return {
    runs(organizationId: number, filter: RunFilter) {
      return database.readTenant(organizationId, async (db) => {
        if (filter.workflowId !== undefined) {
          const workflow = await findWorkflow(db, organizationId, filter.workflowId)
          if (workflow === undefined) return missing('workflow')
        }
        const { rows, ...rest } = await listRuns(db, organizationId, filter)
        return { page: filter.page, limit: filter.limit, runs: rows.map(presentRun), ...rest }
      })
    },

    run(organizationId: number, workflowId: string, runId: string) {
      return database.readTenant(organizationId, async (db) => {
        const [row, workflow, steps, logs] = await Promise.all([
          findRun(db, organizationId, workflowId, runId),
          findWorkflow(db, organizationId, workflowId),
          listSteps(db, organizationId, runId),
          listLogs(db, organizationId, runId, { limit: logsShown }),
        ])
        if (row === undefined || workflow === undefined) return missing('workflow run')
        const first = logs[0]?.seq ?? 1
        return {
          run: presentRun(row),
          workflow: presentWorkflow(workflow, definitionOf(parts, workflow)),
          steps: steps.map(presentStep),
          logs: logs.map(presentLog),
          logsBefore: first > 1 ? first : null,
        }
      })
    },

    /** How far a run of this organization is, inside the caller's transaction. */
    async progress(db: Db, runId: string) {
      const [status, steps] = await Promise.all([findRunStatus(db, runId), readSteps(db, runId)])
      if (status === undefined) return undefined
      const current =
        steps.find((step) => step.status === 'running') ?? steps.find((step) => step.status === 'failed')
      const sum = steps.reduce((total, step) => total + step.progressPercent, 0)
      return {
        status,
        currentStep: current?.name ?? null,
        progressPercent: status === 'completed' ? 100 : Math.round(sum / Math.max(1, steps.length)),
      }
    },

    logs(organizationId: number, workflowId: string, runId: string, window: LogWindow) {
      return database.readTenant(organizationId, async (db) => {
        const row = await findRun(db, organizationId, workflowId, runId)
        if (row === undefined) return missing('workflow run')
        const logs = await listLogs(db, organizationId, runId, window)
        const edge = window.after === undefined ? logs[0]?.seq : logs.at(-1)?.seq
        const hasMore = window.after === undefined ? (edge ?? 1) > 1 : logs.length === window.limit
        return { logs: logs.map(presentLog), nextCursor: hasMore ? (edge ?? null) : null }
      })
    },
  }
}
