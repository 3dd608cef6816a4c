import { foreignKey, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { stepRuns } from './step-runs.ts'
import type { RunError } from './workflow-runs.ts'

/** Every attempt of a step; `step_runs` shows the last one. */
export const stepAttempts = pgTable(
  'step_attempts',
  {
    organizationId: organizationId(),
    runId: uuid('run_id').notNull(),
    stepRunId: uuid('step_run_id').notNull(),
    attempt: integer('attempt').notNull(),
    /** `running`, `succeeded`, `failed`, `timed_out`, `cancelled`, `interrupted` (its process died). */
    status: text('status').notNull(),
    executorId: text('executor_id').notNull(),
    startedAt: instant('started_at').notNull(),
    finishedAt: instant('finished_at'),
    error: jsonb('error').$type<RunError>(),
  },
  (t) => [
    primaryKey({ columns: [t.stepRunId, t.attempt] }),
    foreignKey({
      name: 'step_attempts_step_fk',
      columns: [t.organizationId, t.runId, t.stepRunId],
      foreignColumns: [stepRuns.organizationId, stepRuns.runId, stepRuns.id],
    }).onDelete('cascade'),
    tenantPolicy(),
    systemPolicy(),
  ],
)
