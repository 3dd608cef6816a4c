import { index, pgTable, text } from 'drizzle-orm/pg-core'

import { instant, systemPolicy } from './columns.ts'

/** Server processes of this installation, one row per boot. System only. */
export const processes = pgTable(
  'processes',
  {
    executorId: text('executor_id').primaryKey(),
    machineId: text('machine_id').notNull(),
    address: text('address').notNull(),
    startedAt: instant('started_at').notNull().defaultNow(),
    heartbeatAt: instant('heartbeat_at').notNull().defaultNow(),
  },
  (t) => [index('processes_heartbeat_at_idx').on(t.heartbeatAt), systemPolicy()],
)
