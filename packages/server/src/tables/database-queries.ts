import { sql } from 'drizzle-orm'
import {
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'
import { databases } from './databases.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Statements of the SQL console, each for whoever executed it, for 30 days. */
export const databaseSqlHistory = pgTable(
  'database_sql_history',
  {
    /** UUIDv7: the order of the statements. */
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    databaseId: uuid('database_id')
      .notNull()
      .references(() => databases.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Without the passwords that it sets. */
    statement: text('statement').notNull(),
    mode: text('mode').$type<'read' | 'write'>().notNull(),
    at: instant('at').notNull(),
    durationMs: doublePrecision('duration_ms'),
    rows: integer('rows'),
    error: text('error'),
  },
  (t) => [
    index('database_sql_history_of_user_idx').on(t.organizationId, t.databaseId, t.userId, t.id),
    index('database_sql_history_database_id_idx').on(t.databaseId),
    index('database_sql_history_user_id_idx').on(t.userId),
    tenantPolicy(),
    systemPolicy(),
  ],
)

/** Statements that were saved under a name, for oneself or for the organization. */
export const databaseSavedQueries = pgTable(
  'database_saved_queries',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    databaseId: uuid('database_id')
      .notNull()
      .references(() => databases.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    statement: text('statement').notNull(),
    isShared: boolean('is_shared').notNull().default(false),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('database_saved_queries_name_key').on(t.databaseId, t.createdBy, sql`lower(${t.name})`),
    index('database_saved_queries_organization_id_idx').on(t.organizationId, t.databaseId),
    index('database_saved_queries_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
