import { bigint, foreignKey, index, jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'

import { createdAt, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { stepRuns } from './step-runs.ts'

/**
 * Events that arrived for steps that wait for them. They are rows of their own, for the step may be locked when its event
 * arrives; the first one ends its wait.
 */
export const stepEvents = pgTable(
  'step_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    organizationId: organizationId(),
    runId: uuid('run_id').notNull(),
    stepRunId: uuid('step_run_id').notNull(),
    event: jsonb('event').$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    foreignKey({
      name: 'step_events_step_fk',
      columns: [t.organizationId, t.runId, t.stepRunId],
      foreignColumns: [stepRuns.organizationId, stepRuns.runId, stepRuns.id],
    }).onDelete('cascade'),
    index('step_events_step_idx').on(t.organizationId, t.runId, t.stepRunId),
    tenantPolicy(),
    systemPolicy(),
  ],
)
