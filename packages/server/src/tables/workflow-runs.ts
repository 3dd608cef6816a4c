import type { EntityType } from '@bey/contract/base/entity-table'
import type { RunStatus } from '@bey/contract/base/statuses'
import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { users } from './users.ts'
import { workflows } from './workflows.ts'

/** Why a run or step failed, in words for people. */
export type RunError = { code?: string; message: string; [key: string]: unknown }

/** What a run waits for, in words, and until when as ISO text. */
export type RunWaiting = { kind: string; text: string; until: string | null }

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
    /** The version of the workflow that it executes; null for built-in ones. */
    workflowVersion: integer('workflow_version'),
    /** The trigger that started it; the trigger may be gone since. */
    triggerId: uuid('trigger_id'),
    triggerName: text('trigger_name'),
    /** What a waiting run waits for. */
    waiting: jsonb('waiting').$type<RunWaiting>(),
    /** The run and its step of which this one is a sub-workflow. */
    parentRunId: uuid('parent_run_id'),
    parentStepKey: text('parent_step_key'),
    /** The run that it retries. */
    retryOf: uuid('retry_of'),
    priority: integer('priority').notNull().default(0),
    /** Resolved concurrency key; null where the workflow has none. */
    concurrencyKey: text('concurrency_key'),
    /** How many runs of the workflow with that key may be under way at once. */
    concurrencyMax: integer('concurrency_max').notNull().default(1),
    /** What started it, said by the trigger: the same words start one run only. */
    startKey: text('start_key'),
    /** Since when there is something recorded that the waiting run has not looked at. */
    wakeRequestedAt: instant('wake_requested_at'),
    /** When it expires unless it has begun. */
    expiresAt: instant('expires_at'),
    /** When it is ended as timed out. */
    deadlineAt: instant('deadline_at'),
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
    /** The API key that started it: its steps may do what the key may, and the person in whose name it acts. */
    keyId: uuid('key_id'),
    /** The API keys that saved what it executes: its version, and those of the runs that it is a part of. */
    authorKeyIds: uuid('author_key_ids')
      .array()
      .notNull()
      .default(sql`'{}'::uuid[]`),
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
    index('workflow_runs_status_idx').on(t.organizationId, t.status, t.queuedAt, t.id),
    // The planner does not see the organization that row-level security compares with, expects as many runs of every
    // workflow, and would rather sort them all than read the newest. Nothing is cheaper than this index, which begins
    // with the organization and ends with what a list of workflows reads of their runs.
    index('workflow_runs_by_workflow_idx').on(
      t.organizationId,
      t.workflowId,
      t.queuedAt,
      t.id,
      t.status,
      t.startedAt,
      t.finishedAt,
    ),
    index('workflow_runs_by_workflow_status_idx').on(
      t.organizationId,
      t.workflowId,
      t.status,
      t.queuedAt,
      t.id,
    ),
    index('workflow_runs_subject_idx')
      .on(t.organizationId, t.subjectType, t.subjectId, t.queuedAt, t.id)
      .where(sql`${t.subjectId} is not null`),
    index('workflow_runs_subject_status_idx')
      .on(t.organizationId, t.subjectType, t.subjectId, t.status, t.queuedAt, t.id)
      .where(sql`${t.subjectId} is not null`),
    index('workflow_runs_parent_idx')
      .on(t.parentRunId)
      .where(sql`${t.parentRunId} is not null`),
    index('workflow_runs_retry_of_idx')
      .on(t.retryOf)
      .where(sql`${t.retryOf} is not null`),
    index('workflow_runs_concurrency_idx')
      .on(t.workflowId, t.concurrencyKey, t.queuedAt)
      .where(sql`${t.finishedAt} is null and ${t.concurrencyKey} is not null`),
    // What the dispatcher asks for: the queue in its order.
    index('workflow_runs_queue_idx')
      .on(t.organizationId, t.priority.desc(), t.queuedAt, t.id)
      .where(sql`${t.status} = 'queued' and ${t.finishedAt} is null and ${t.executorId} is null`),
    uniqueIndex('workflow_runs_start_key')
      .on(t.workflowId, t.startKey)
      .where(sql`${t.startKey} is not null`),
    index('workflow_runs_trigger_idx').on(t.organizationId, t.trigger, t.queuedAt),
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
