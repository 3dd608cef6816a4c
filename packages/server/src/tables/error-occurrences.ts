import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { errorGroups } from './error-groups.ts'
import { users } from './users.ts'

/** Single occurrences as consoles reported them, without what looked like a credential; the latest of each error. */
export const errorOccurrences = pgTable(
  'error_occurrences',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    groupId: uuid('group_id').notNull(),
    userId: integer('user_id').references(() => users.id, { onDelete: 'set null' }),
    at: instant('at').notNull(),
    reportedAt: instant('reported_at').notNull(),
    release: text('release').notNull(),
    repeats: integer('repeats').notNull().default(1),
    message: text('message').notNull(),
    stack: text('stack').notNull(),
    componentStack: text('component_stack').notNull(),
    source: text('source').notNull(),
    line: integer('line'),
    column: integer('column'),
    userAgent: text('user_agent').notNull(),
    url: text('url').notNull(),
    sessionId: text('session_id').notNull(),
    errorBoundary: text('error_boundary').notNull(),
    errorBoundaryStack: text('error_boundary_stack').notNull(),
    additionalContext: jsonb('additional_context')
      .$type<Record<string, unknown>>()
      .notNull()
      .default(sql`'{}'::jsonb`),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.groupId],
      foreignColumns: [errorGroups.organizationId, errorGroups.id],
    }).onDelete('cascade'),
    // Ids grow with time: the order of the list, and of what is dropped first.
    index('error_occurrences_group_id_idx').on(t.groupId, t.id),
    // The newest of an organization, beyond which they are dropped.
    index('error_occurrences_organization_id_idx').on(t.organizationId, t.id),
    index('error_occurrences_user_id_idx').on(t.userId),
    tenantPolicy(),
    systemPolicy(),
  ],
)
