import { bigint, boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, systemPolicy } from './columns.ts'
import { users } from './users.ts'

/** WebAuthn credentials of users. System only. */
export const passkeys = pgTable(
  'passkeys',
  {
    /** The credential id, base64url. */
    id: text('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    publicKey: bytea('public_key').notNull(),
    /** Signatures that the authenticator has counted; 0 for those that do not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    /** The host name that it was made for. It is good for no other. */
    relyingParty: text('relying_party').notNull(),
    isBackedUp: boolean('is_backed_up').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [index('passkeys_user_id_idx').on(t.userId), systemPolicy()],
)
