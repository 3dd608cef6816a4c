import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable } from 'drizzle-orm/pg-core'

import { ownPolicy, systemPolicy, updatedAt } from './columns.ts'
import { users } from './users.ts'

const settingsColumn = (name: string) =>
  jsonb(name)
    .$type<object>()
    .notNull()
    .default(sql`'{}'::jsonb`)

/** What a user chose for themselves, the same in every organization. */
export const userSettings = pgTable(
  'user_settings',
  {
    userId: integer('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Empty until one was saved. */
    theme: settingsColumn('theme'),
    /** How times are written; empty until it was saved. */
    time: settingsColumn('time'),
    updatedAt: updatedAt(),
  },
  () => [ownPolicy(), systemPolicy()],
)
