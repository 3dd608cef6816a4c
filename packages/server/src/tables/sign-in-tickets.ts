import { index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, systemPolicy } from './columns.ts'
import { users } from './users.ts'

/** What one step of a sign-in hands to the next: good once and for minutes. Only the SHA-256 is kept. System only. */
export const signInTickets = pgTable(
  'sign_in_tickets',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    tokenHash: bytea('token_hash').notNull(),
    /** Null while nobody is known. */
    userId: integer('user_id').references(() => users.id, { onDelete: 'cascade' }),
    data: jsonb('data').$type<object>().notNull(),
    /** Wrong answers so far. */
    attempts: integer('attempts').notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    unique('sign_in_tickets_token_hash_key').on(t.tokenHash),
    index('sign_in_tickets_user_id_idx').on(t.userId),
    index('sign_in_tickets_expires_at_idx').on(t.expiresAt),
    systemPolicy(),
  ],
)
