import { type AnyPgColumn, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, ownPolicy, systemPolicy } from './columns.ts'
import { users } from './users.ts'

/** Log-ins of a user. Only the SHA-256 of the token is kept. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: bytea('token_hash').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    ip: text('ip'),
    userAgent: text('user_agent'),
    /** The machine whose program was logged in by code; null of a browser's session. */
    deviceName: text('device_name'),
    /** How its user signed in: `password`, `passkey`, or the provider that vouched for them. */
    method: text('method').notNull().default('password'),
    /** When its user last proved who they are; dangerous acts ask for that to be recent. */
    confirmedAt: instant('confirmed_at').notNull().defaultNow(),
    /** The tester behind an impersonated session; null of any other session. */
    impersonatorName: text('impersonator_name'),
    impersonatorId: integer('impersonator_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The tester's own session, which this one never outlives; null where the tester was not logged in. */
    impersonatorSessionId: uuid('impersonator_session_id').references((): AnyPgColumn => sessions.id, {
      onDelete: 'cascade',
    }),
  },
  (t) => [
    unique('sessions_token_hash_key').on(t.tokenHash),
    index('sessions_user_id_idx').on(t.userId),
    index('sessions_expires_at_idx').on(t.expiresAt),
    index('sessions_impersonator_id_idx').on(t.impersonatorId),
    index('sessions_impersonator_session_id_idx').on(t.impersonatorSessionId),
    ownPolicy(),
    systemPolicy(),
  ],
)
