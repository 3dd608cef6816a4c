import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'

import { instant, systemPolicy } from './columns.ts'

/** Processes of this installation that execute runs, one row per boot. System only. */
export const processes = pgTable(
  'processes',
  {
    executorId: text('executor_id').primaryKey(),
    machineId: text('machine_id').notNull(),
    address: text('address').notNull(),
    role: text('role', { enum: ['all', 'worker'] })
      .notNull()
      .default('all'),
    /** Runs that it works at, at once, at most. */
    maxRuns: integer('max_runs').notNull().default(0),
    startedAt: instant('started_at').notNull().defaultNow(),
    heartbeatAt: instant('heartbeat_at').notNull().defaultNow(),
  },
  (t) => [index('processes_heartbeat_at_idx').on(t.heartbeatAt), systemPolicy()],
)
