import { sql } from 'drizzle-orm'
import { foreignKey, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { workflowTriggers } from './workflow-triggers.ts'

/**
 * What arrived at a trigger: a request of a webhook, or an event of the console that waits for its turn. Rows are kept
 * for a while, so that the same event starts one run and people see what became of it.
 */
export const triggerEvents = pgTable(
  'trigger_events',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    triggerId: uuid('trigger_id').notNull(),
    /** By which the same event is known again; null where every event is a new one. */
    key: text('key'),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    /** `waiting`, `started`, `ignored` (its condition was false), `failed`. */
    status: text('status').notNull(),
    /** Why it started no run, in words. */
    note: text('note').notNull().default(''),
    runId: uuid('run_id'),
    at: instant('at').notNull().defaultNow(),
  },
  (t) => [
    unique('trigger_events_key').on(t.triggerId, t.key),
    foreignKey({
      name: 'trigger_events_trigger_fk',
      columns: [t.organizationId, t.triggerId],
      foreignColumns: [workflowTriggers.organizationId, workflowTriggers.id],
    }).onDelete('cascade'),
    index('trigger_events_trigger_idx').on(t.organizationId, t.triggerId, t.at),
    index('trigger_events_waiting_idx')
      .on(t.at)
      .where(sql`${t.status} = 'waiting'`),
    index('trigger_events_at_idx').on(t.at),
    tenantPolicy(),
    systemPolicy(),
  ],
)
