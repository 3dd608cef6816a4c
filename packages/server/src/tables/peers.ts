import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'

import { instant, systemPolicy } from './columns.ts'

/** Processes of this installation that share watches of clusters, one row per boot. System only. */
export const peers = pgTable(
  'peers',
  {
    id: text('id').primaryKey(),
    /** Where the others connect to it: `host:port`. */
    address: text('address').notNull(),
    /** The version of the protocol that it speaks. */
    protocol: integer('protocol').notNull(),
    /** Addresses of living peers that it does not reach. */
    unreachable: text('unreachable').array().notNull().default([]),
    startedAt: instant('started_at').notNull().defaultNow(),
    heartbeatAt: instant('heartbeat_at').notNull().defaultNow(),
  },
  (t) => [index('peers_heartbeat_at_idx').on(t.heartbeatAt), systemPolicy()],
)
