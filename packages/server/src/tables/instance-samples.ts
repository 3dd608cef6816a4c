import { doublePrecision, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { instant, systemPolicy } from './columns.ts'

/** What limits of this server stood at, by the hour: what its growth is told from. System only. */
export const instanceSamples = pgTable(
  'instance_samples',
  {
    /** As in `InstanceLimit`. */
    name: text('name', { enum: ['connections', 'disk', 'runs'] }).notNull(),
    at: instant('at').notNull(),
    value: doublePrecision('value').notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.at] }), systemPolicy()],
)
