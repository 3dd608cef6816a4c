import type { Saving } from '@bey/contract'
import { boolean, index, integer, jsonb, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** What was done to a cluster, and what takes it back. */
export type SavingChange =
  | { kind: 'node'; node: string; group: string }
  | { kind: 'patch'; path: string; undo: Record<string, unknown> }

/** Savings whose change was made by Bey. How the run of one ended stands in its row of `workflow_runs`. */
export const appliedSavings = pgTable(
  'applied_savings',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    /** Of the saving as it was found. */
    savingId: text('saving_id').notNull(),
    kind: text('kind').$type<Saving['kind']>().notNull(),
    title: text('title').notNull(),
    /** What was changed, as a sentence. */
    text: text('text').notNull(),
    /** A month. */
    amount: numeric('amount').notNull(),
    currency: text('currency').notNull(),
    isDirect: boolean('is_direct').notNull(),
    clusterId: integer('cluster_id').notNull(),
    change: jsonb('change').$type<SavingChange>().notNull(),
    /** Null for a patch, which is made at once. */
    runId: uuid('run_id'),
    undoRunId: uuid('undo_run_id'),
    /** Why a patch was refused. */
    error: text('error'),
    appliedBy: integer('applied_by').references(() => users.id, { onDelete: 'set null' }),
    appliedAt: instant('applied_at').notNull(),
    /** When a patch was accepted; null while that is not known. */
    patchedAt: instant('patched_at'),
    undoneAt: instant('undone_at'),
  },
  (t) => [
    index('applied_savings_at_idx').on(t.organizationId, t.appliedAt),
    index('applied_savings_applied_by_idx').on(t.appliedBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
