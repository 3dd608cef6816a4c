import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { databases } from './databases.ts'
import { users } from './users.ts'

/** What a rule found. */
export type AdviceContent = {
  title: string
  detail: string
  evidence: { label: string; value: string }[]
  /** The statement that mends it; null where it takes more than one decision. */
  sql: string | null
  /** Statements that it is about, by their ids. */
  queryIds: string[]
  /** What these had done when it was executed, and their mean in the hour before, in ms. */
  baseline?: { queryId: string; text: string; beforeMs: number | null; calls: number; totalMs: number }[]
}

/** Advice on a database. What does not hold any more has `ended_at`, and stays while its effect is of interest. */
export const databaseAdvice = pgTable(
  'database_advice',
  {
    databaseId: uuid('database_id')
      .notNull()
      .references(() => databases.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    /** The rule and what it is about: the same finding has the same key. */
    key: text('key').notNull(),
    rule: text('rule').notNull(),
    content: jsonb('content').$type<AdviceContent>().notNull(),
    firstSeenAt: instant('first_seen_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    endedAt: instant('ended_at'),
    dismissedAt: instant('dismissed_at'),
    dismissedBy: integer('dismissed_by').references(() => users.id, { onDelete: 'set null' }),
    dismissedReason: text('dismissed_reason'),
    /** When its statement was executed by Bey. */
    executedAt: instant('executed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.databaseId, t.key] }),
    index('database_advice_dismissed_by_idx').on(t.dismissedBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
