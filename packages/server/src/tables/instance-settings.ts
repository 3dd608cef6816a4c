import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'

import { bytea, systemPolicy, updatedAt } from './columns.ts'

/** What the operator decided about this server, where the environment does not. System only. */
export const instanceSettings = pgTable(
  'instance_settings',
  {
    /** `general`, `smtp`, `oauth.github`, … */
    name: text('name').primaryKey(),
    value: jsonb('value').$type<object>().notNull(),
    /** Its password or client secret. */
    secret: bytea('secret'),
    updatedAt: updatedAt(),
  },
  () => [systemPolicy()],
)
