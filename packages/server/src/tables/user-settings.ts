import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable } from 'drizzle-orm/pg-core'

import { ownPolicy, systemPolicy, updatedAt } from './columns.ts'
import { users } from './users.ts'

/** What a user chose for themselves, the same in every organization. */
export const userSettings = pgTable(
  'user_settings',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    theme: jsonb('theme')
      .$type<Record<string, unknown>>()
      .notNull()
      .default(sql`'{}'::jsonb`),
    updatedAt: updatedAt(),
  },
  () => [ownPolicy(), systemPolicy()],
)
