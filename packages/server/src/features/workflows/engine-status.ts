import type { EngineStatus } from '@bey/contract'

import type { WorkflowParts } from './parts.ts'
import { activeRunStatuses } from './run-store.ts'
import { countRunsByStatus, countWorkflows, listActiveRuns } from './store.ts'

/** The state of this process's engine, with the figures of one organization. */
export function readEngineStatus(
  { database, definitions, engine }: WorkflowParts,
  version: string,
  organizationId: number,
): Promise<EngineStatus> {
  return database.readTenant(organizationId, async (db) => {
    const [byStatus, active, total] = await Promise.all([
      countRunsByStatus(db, organizationId),
      listActiveRuns(db, organizationId, activeRunStatuses, 200),
      countWorkflows(db, organizationId),
    ])
    const state = engine.state()
    return {
      engine: {
        status: state.status,
        version: version,
        startTime: state.startedAt.toISOString(),
        currentActiveWorkflows: active.length,
        maxConcurrentWorkflows: state.maxConcurrentRuns,
      },
      statistics: {
        totalWorkflows: Math.max(total, definitions.size),
        workflowsByStatus: Object.fromEntries(byStatus.map(({ status, count }) => [status, count])),
        activeWorkflows: active.length,
      },
      websocket: { enabled: true },
      activeWorkflows: active.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
      executors: { registered: [...definitions.keys()], type: 'dbos' },
    }
  })
}
