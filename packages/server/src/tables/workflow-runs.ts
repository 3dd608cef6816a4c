import type { EntityType } from '@bey/contract/entities/table'
import type { RunStatus } from '@bey/contract/statuses'
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { users } from './users.ts'
import { workflows } from './workflows.ts'

/** Why a run or step failed, in words for people. */
export type RunError = { code?: string; message: string; [key: string]: unknown }

/** One execution of a workflow. */
export const workflowRuns = pgTable(
  'workflow_runs',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    workflowId: uuid('workflow_id').notNull(),
    status: text('status').$type<RunStatus>().notNull().default('queued'),
    input: jsonb('input')
      .$type<Record<string, unknown>>()
      .notNull()
      .default(sql`'{}'::jsonb`),
    output: jsonb('output').$type<Record<string, unknown>>(),
    error: jsonb('error').$type<RunError>(),
    trigger: text('trigger').notNull().default('manual'),
    /** What the run works on, e.g. `cluster` and its id. */
    subjectType: text('subject_type').$type<EntityType>(),
    subjectId: text('subject_id'),
    attempt: integer('attempt').notNull().default(1),
    recoveryCount: integer('recovery_count').notNull().default(0),
    executorId: text('executor_id'),
    /** Number of the last row in step_logs: counted up under this row's lock, which keeps `seq` free of gaps. */
    logCount: integer('log_count').notNull().default(0),
    queuedAt: instant('queued_at').notNull().defaultNow(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    cancelRequestedAt: instant('cancel_requested_at'),
    cancelRequestedBy: integer('cancel_requested_by').references(() => users.id, { onDelete: 'set null' }),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    rowVersion: integer('row_version').notNull().default(1),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.workflowId],
      foreignColumns: [workflows.organizationId, workflows.id],
    }).onDelete('cascade'),
    unique('workflow_runs_organization_id_id_key').on(t.organizationId, t.id),
    index('workflow_runs_queued_at_idx').on(t.organizationId, t.queuedAt, t.id),
    index('workflow_runs_status_idx').on(t.organizationId, t.status, t.queuedAt),
    index('workflow_runs_workflow_id_idx').on(t.workflowId, t.queuedAt, t.id),
    index('workflow_runs_subject_idx')
      .on(t.organizationId, t.subjectType, t.subjectId, t.queuedAt)
      .where(sql`${t.subjectId} is not null`),
    index('workflow_runs_executor_id_idx')
      .on(t.executorId)
      .where(sql`${t.finishedAt} is null`),
    // What ended long ago is deleted by it.
    index('workflow_runs_finished_at_idx')
      .on(t.finishedAt)
      .where(sql`${t.finishedAt} is not null`),
    index('workflow_runs_cancel_requested_by_idx')
      .on(t.cancelRequestedBy)
      .where(sql`${t.cancelRequestedBy} is not null`),
    index('workflow_runs_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
