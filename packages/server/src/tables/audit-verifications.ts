import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'

/** The last verification of each organization's audit chain, under way or finished. */
export const auditVerifications = pgTable(
  'audit_verifications',
  {
    organizationId: organizationId().primaryKey(),
    startedAt: instant('started_at').notNull(),
    /** Renewed while it runs; an old one means that its process died. */
    heartbeatAt: instant('heartbeat_at').notNull(),
    /** Null while it runs. */
    finishedAt: instant('finished_at'),
    checked: bigint('checked', { mode: 'number' }).notNull().default(0),
    total: bigint('total', { mode: 'number' }).notNull().default(0),
    durationMs: integer('duration_ms').notNull().default(0),
    faultyPosition: bigint('faulty_position', { mode: 'number' }),
    /** Why the entry at `faultyPosition` does not fit; null if every entry does. */
    problem: text('problem'),
    /** The newest signed checkpoint that the chain agrees with. */
    checkpointAt: instant('checkpoint_at'),
    checkpointKeyId: text('checkpoint_key_id'),
    /** The faulty position of which people were notified, so that each is notified once; null while the chain is whole. */
    notifiedPosition: bigint('notified_position', { mode: 'number' }),
  },
  () => [tenantPolicy(), systemPolicy()],
)
