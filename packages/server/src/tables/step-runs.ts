import type { StepStatus } from '@bey/contract/base/statuses'
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { type RunError, workflowRuns } from './workflow-runs.ts'

/** How often a step's effect can happen: stated per step type and shown to the user. */
export type StepGuarantee = 'exactly_once' | 'at_least_once_keyed' | 'at_least_once'

/** One step of a run. */
export const stepRuns = pgTable(
  'step_runs',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    runId: uuid('run_id').notNull(),
    key: text('key').notNull(),
    name: text('name').notNull(),
    type: text('type').notNull(),
    position: integer('position').notNull(),
    status: text('status').$type<StepStatus>().notNull().default('pending'),
    attempt: integer('attempt').notNull().default(0),
    guarantee: text('guarantee').$type<StepGuarantee>().notNull().default('at_least_once'),
    /** Keys of the steps that it waits for. */
    needs: text('needs')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    /** The step whose iteration this is, and which one; null where it is none. */
    parentKey: text('parent_key'),
    iteration: integer('iteration'),
    /** Why it was skipped or what it waits for, in words. */
    note: text('note').notNull().default(''),
    /** Resolved concurrency key while it is under way or waits for its turn; null where it has none. */
    concurrencyKey: text('concurrency_key'),
    /** The type of event that it waits for, while it does. */
    waitsFor: text('waits_for'),
    /** When the next attempt begins, or a wait ends. */
    nextAt: instant('next_at'),
    /** Its config with templates resolved and secrets masked. */
    input: jsonb('input').$type<Record<string, unknown>>(),
    output: jsonb('output').$type<Record<string, unknown>>(),
    error: jsonb('error').$type<RunError>(),
    progressPercent: integer('progress_percent').notNull().default(0),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  // No index has a status or a time that changes in its columns or its condition: each change of a step would else write
  // into every index of the table.
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.runId],
      foreignColumns: [workflowRuns.organizationId, workflowRuns.id],
    }).onDelete('cascade'),
    unique('step_runs_run_id_id_key').on(t.organizationId, t.runId, t.id),
    unique('step_runs_key_key').on(t.runId, t.key),
    index('step_runs_concurrency_idx')
      .on(t.organizationId, t.concurrencyKey)
      .where(sql`${t.concurrencyKey} is not null`),
    index('step_runs_waits_for_idx')
      .on(t.organizationId, t.waitsFor)
      .where(sql`${t.waitsFor} is not null`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
