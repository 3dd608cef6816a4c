import type { LoginMode } from '@bey/contract/databases/login-rules'
import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { databases } from './databases.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Users that were made in servers of databases for a person and a while. Their passwords are kept nowhere. */
export const databaseLogins = pgTable(
  'database_logins',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    databaseId: uuid('database_id')
      .notNull()
      .references(() => databases.id, { onDelete: 'cascade' }),
    /** The user in PostgreSQL. */
    username: text('username').notNull(),
    mode: text('mode').$type<LoginMode>().notNull(),
    reason: text('reason').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** When it was removed from the server. */
    endedAt: instant('ended_at'),
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('database_logins_username_key').on(t.databaseId, t.username),
    index('database_logins_created_at_idx').on(t.organizationId, t.databaseId, t.createdAt),
    index('database_logins_open_idx')
      .on(t.databaseId)
      .where(sql`${t.endedAt} is null`),
    index('database_logins_created_by_idx').on(t.createdBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
