import { pgTable, text } from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, systemPolicy, updatedAt } from './columns.ts'

/** Keys of the server itself (root key check, HTTPS certificates), sealed with the root key. System only. */
export const serverKeys = pgTable(
  'server_keys',
  {
    name: text('name').primaryKey(),
    sealed: bytea('sealed').notNull(),
    publicPem: text('public_pem'),
    expiresAt: instant('expires_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [systemPolicy()],
)
