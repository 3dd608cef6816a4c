import type { Role } from '@bey/contract'
import { sql } from 'drizzle-orm'
import {
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { stepRuns } from './step-runs.ts'
import { users } from './users.ts'

/** Who may decide: members of at least this role, and these users. The asker may not unless said so. */
export type Approvers = { role: Role | null; userIds: number[]; allowsRequester: boolean }

/** Questions that runs wait for people to decide. */
export const runApprovals = pgTable(
  'run_approvals',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    runId: uuid('run_id').notNull(),
    stepRunId: uuid('step_run_id').notNull(),
    status: text('status').notNull().default('pending'),
    question: text('question').notNull(),
    details: text('details').notNull().default(''),
    facts: jsonb('facts').$type<{ name: string; value: string }[]>().notNull().default([]),
    plan: text('plan').notNull().default(''),
    form: jsonb('form').$type<Record<string, unknown>>(),
    neededCount: integer('needed_count').notNull().default(1),
    approvers: jsonb('approvers').$type<Approvers>().notNull(),
    onTimeout: text('on_timeout').$type<'reject' | 'approve' | 'fail'>().notNull().default('reject'),
    requestedBy: integer('requested_by').references(() => users.id, { onDelete: 'set null' }),
    requestedAt: instant('requested_at').notNull().defaultNow(),
    expiresAt: instant('expires_at'),
    finishedAt: instant('finished_at'),
    remindedAt: instant('reminded_at'),
  },
  (t) => [
    unique('run_approvals_step_key').on(t.stepRunId),
    unique('run_approvals_organization_id_id_key').on(t.organizationId, t.id),
    foreignKey({
      name: 'run_approvals_step_fk',
      columns: [t.organizationId, t.runId, t.stepRunId],
      foreignColumns: [stepRuns.organizationId, stepRuns.runId, stepRuns.id],
    }).onDelete('cascade'),
    index('run_approvals_run_idx').on(t.organizationId, t.runId),
    index('run_approvals_status_idx').on(t.organizationId, t.status, t.requestedAt, t.id),
    index('run_approvals_requested_by_idx')
      .on(t.requestedBy)
      .where(sql`${t.requestedBy} is not null`),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** One decision of one person. */
export const approvalDecisions = pgTable(
  'approval_decisions',
  {
    organizationId: organizationId(),
    approvalId: uuid('approval_id').notNull(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    decision: text('decision').$type<'approve' | 'reject'>().notNull(),
    comment: text('comment').notNull().default(''),
    form: jsonb('form').$type<Record<string, unknown>>(),
    at: instant('at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.approvalId, t.userId] }),
    foreignKey({
      name: 'approval_decisions_approval_fk',
      columns: [t.organizationId, t.approvalId],
      foreignColumns: [runApprovals.organizationId, runApprovals.id],
    }).onDelete('cascade'),
    index('approval_decisions_organization_idx').on(t.organizationId, t.approvalId),
    index('approval_decisions_user_idx').on(t.userId),
    tenantPolicy(),
    systemPolicy(),
  ],
)
