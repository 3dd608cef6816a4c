import type { BuiltIns } from './definition/built-ins.ts'
import { missing, type WorkflowParts } from './parts.ts'
import { presentLog, presentStep, presentWorkflow } from './present.ts'
import { logsShown } from './runs/reads.ts'
import { findWorkflow, listLogs, listSteps, listWorkflows, type WorkflowFilter } from './store.ts'

/** What is asked about workflows. */
export function createWorkflowReads(
  parts: Pick<WorkflowParts, 'database' | 'definitions' | 'stepTypes'>,
  builtIns: BuiltIns,
) {
  const { database, definitions } = parts
  return {
    async list(organizationId: number, filter: WorkflowFilter) {
      let page = await database.readTenant(organizationId, (db) => listWorkflows(db, organizationId, filter))
      const isWhole = !filter.search && !filter.type && !filter.status && !filter.ids
      const mayMiss = isWhole && page.total < definitions.size
      if (mayMiss) {
        await database.withTenant(organizationId, (db) => builtIns.ensure(db, organizationId))
        page = await database.readTenant(organizationId, (db) => listWorkflows(db, organizationId, filter))
      }
      const { rows, ...rest } = page
      return {
        page: filter.page,
        limit: filter.limit,
        workflows: rows.map((row) => presentWorkflow(parts, row)),
        ...rest,
      }
    },

    get(organizationId: number, id: string) {
      return database.readTenant(organizationId, async (db) => {
        const row = (await findWorkflow(db, organizationId, id)) ?? missing('workflow')
        const [steps, logs] =
          row.lastRunId === null
            ? [[], []]
            : await Promise.all([
                listSteps(db, organizationId, row.lastRunId),
                listLogs(db, organizationId, row.lastRunId, { limit: logsShown }),
              ])
        return {
          workflow: presentWorkflow(parts, row),
          steps: steps.map(presentStep),
          logs: logs.map(presentLog),
        }
      })
    },
  }
}
