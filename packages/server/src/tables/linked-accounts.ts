import { integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'

import { createdAt, instant, systemPolicy } from './columns.ts'
import { users } from './users.ts'

/** Accounts of other providers that sign a user in. System only. */
export const linkedAccounts = pgTable(
  'linked_accounts',
  {
    /** The provider's own address: the subject is unique there and nowhere else. */
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    provider: text('provider').notNull(),
    /** What the provider calls the account: an address or a login name. */
    display: text('display').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.issuer, t.subject] }),
    unique('linked_accounts_user_id_provider_key').on(t.userId, t.provider),
    systemPolicy(),
  ],
)
