import type { BudgetAction, BudgetState } from '@bey/contract/billing/budget-states'
import { sql } from 'drizzle-orm'
import { index, integer, numeric, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** What a month may cost, and how that stands. */
export const budgets = pgTable(
  'budgets',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    amount: numeric('amount').notNull(),
    currency: text('currency').notNull(),
    scopeBy: text('scope_by').$type<'all' | 'service' | 'cluster' | 'namespace' | 'owner'>().notNull(),
    /** As the filter of spend takes it; empty for everything. */
    scopeKey: text('scope_key').notNull(),
    action: text('action').$type<BudgetAction>().notNull(),
    state: text('state').$type<BudgetState>().notNull().default('ok'),
    stateSince: instant('state_since').notNull(),
    /** The month of `reached`. */
    month: text('month').notNull(),
    /** The highest threshold that people were notified of in the month; 0 before the first. */
    reached: integer('reached').$type<0 | 50 | 80 | 100>().notNull().default(0),
    liftedMonth: text('lifted_month'),
    /** When a process next looks at it. */
    checkAt: instant('check_at').notNull(),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Raised by every change of a person. */
    version: integer('version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('budgets_name_key').on(t.organizationId, sql`lower(name)`),
    index('budgets_check_at_idx').on(t.checkAt),
    index('budgets_pausing_idx')
      .on(t.organizationId)
      .where(sql`state = 'enforced'`),
    index('budgets_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
