import { integer, pgTable, unique, uuid } from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, systemPolicy } from './columns.ts'
import { users } from './users.ts'

/** Codes that stand in for a lost second factor, each once. Only their SHA-256 is kept. System only. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    id: uuid('id').primaryKey(),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    codeHash: bytea('code_hash').notNull(),
    usedAt: instant('used_at'),
    createdAt: createdAt(),
  },
  (t) => [unique('recovery_codes_user_id_code_hash_key').on(t.userId, t.codeHash), systemPolicy()],
)
