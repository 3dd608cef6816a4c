import { bigint, integer, pgTable } from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, systemPolicy } from './columns.ts'
import { users } from './users.ts'

/** The authenticator app of a user (RFC 6238). It counts from `confirmed_at` on. System only. */
export const userTotp = pgTable(
  'user_totp',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The shared secret, sealed for its user. */
    secret: bytea('secret').notNull(),
    confirmedAt: instant('confirmed_at'),
    /** The time step of the last accepted code: no code is accepted twice. */
    lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
  },
  () => [systemPolicy()],
)
