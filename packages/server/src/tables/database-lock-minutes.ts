import type { DatabaseSession } from '@bey/contract'
import { index, integer, jsonb, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { databases } from './databases.ts'

/** Who waited for whom in a database, once a minute while somebody waits; for 24 h. */
export const databaseLockMinutes = pgTable(
  'database_lock_minutes',
  {
    databaseId: uuid('database_id')
      .notNull()
      .references(() => databases.id, { onDelete: 'cascade' }),
    organizationId: organizationId(),
    /** When they were seen. */
    at: instant('at').notNull(),
    waiting: integer('waiting').notNull(),
    /** Sessions of the server, whatever they did. */
    total: integer('total').notNull(),
    /** Those that waited and those that held them up, at most `insightLimits.keptSessions`. */
    sessions: jsonb('sessions').$type<DatabaseSession[]>().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.databaseId, t.at] }),
    index('database_lock_minutes_at_idx').on(t.at),
    tenantPolicy(),
    systemPolicy(),
  ],
)
