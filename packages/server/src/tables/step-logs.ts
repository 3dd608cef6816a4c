import { foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { stepRuns } from './step-runs.ts'

export type LogLevel = 'trace' | 'debug' | 'info' | 'warning' | 'error' | 'fatal'

/** Log lines of a run; `seq` counts from 1 without gaps (taken from `workflow_runs.log_count`). */
export const stepLogs = pgTable(
  'step_logs',
  {
    organizationId: organizationId(),
    runId: uuid('run_id').notNull(),
    seq: integer('seq').notNull(),
    stepRunId: uuid('step_run_id').notNull(),
    attempt: integer('attempt').notNull().default(1),
    at: instant('at').notNull().defaultNow(),
    level: text('level').$type<LogLevel>().notNull().default('info'),
    stream: text('stream').notNull().default('system'),
    message: text('message').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.runId, t.seq] }),
    // By the step to the run: each line is checked once, and against both.
    foreignKey({
      name: 'step_logs_step_fk',
      columns: [t.organizationId, t.runId, t.stepRunId],
      foreignColumns: [stepRuns.organizationId, stepRuns.runId, stepRuns.id],
    }).onDelete('cascade'),
    index('step_logs_step_run_id_idx').on(t.stepRunId, t.seq),
    tenantPolicy(),
    systemPolicy(),
  ],
)
