import { index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, systemPolicy } from './columns.ts'
import { sessions } from './sessions.ts'
import { users } from './users.ts'

/** Programs that wait to be logged in by code. Only the SHA-256 of either code is kept. System only. */
export const deviceLogins = pgTable(
  'device_logins',
  {
    id: uuid('id').primaryKey(),
    deviceCodeHash: bytea('device_code_hash').notNull(),
    userCodeHash: bytea('user_code_hash').notNull(),
    status: text('status').$type<'pending' | 'confirmed' | 'refused'>().notNull().default('pending'),
    hostName: text('host_name').notNull(),
    client: text('client').notNull(),
    version: text('version').notNull(),
    platform: text('platform').notNull(),
    ip: text('ip').notNull(),
    /** Who confirmed; null until then. */
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The session that confirmed. If it ends before the program fetches its token, so does this. */
    sessionId: uuid('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    /** How many seconds the program waits between two polls. */
    intervalSeconds: integer('interval_seconds').notNull(),
    polledAt: instant('polled_at'),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('device_logins_device_code_hash_key').on(t.deviceCodeHash),
    unique('device_logins_user_code_hash_key').on(t.userCodeHash),
    index('device_logins_user_id_idx').on(t.userId),
    index('device_logins_session_id_idx').on(t.sessionId),
    index('device_logins_expires_at_idx').on(t.expiresAt),
    systemPolicy(),
  ],
)
