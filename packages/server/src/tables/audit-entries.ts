import { sql } from 'drizzle-orm'
import {
  bigint,
  index,
  jsonb,
  pgPolicy,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'

import { appRole, bytea, currentOrganization, instant, organizationId, systemPolicy } from './columns.ts'

/** Numbers entries in the order in which they are inserted, over all organizations and with gaps. */
export const auditNumbers = pgSequence('audit_numbers')

/**
 * The audit trail: append-only by grant and trigger. `seq` and `hash`, which covers the whole entry, are set by a
 * trigger, whatever the insert says; the chain is in `audit_links`. `prev_hash` is empty, save in entries from before
 * there were links, whose hash covers it. Has no foreign key, for the trail outlives what it describes; organization 0
 * holds the entries of the server itself.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    organizationId: organizationId(),
    seq: bigint('seq', { mode: 'number' }).notNull().default(0),
    id: uuid('id').notNull(),
    at: instant('at').notNull().defaultNow(),
    actorType: text('actor_type').notNull(),
    actorId: text('actor_id'),
    actorDisplay: text('actor_display').notNull().default(''),
    via: text('via').notNull(),
    action: text('action').notNull(),
    class: text('class').notNull(),
    targetType: text('target_type'),
    targetId: text('target_id'),
    targetName: text('target_name'),
    /** `unknown` for an intent: the entry that refers to it by `intent_id` has the outcome. */
    outcome: text('outcome').notNull().default('success'),
    intentId: uuid('intent_id'),
    ip: text('ip'),
    userAgent: text('user_agent'),
    requestId: text('request_id'),
    runId: uuid('run_id'),
    diff: jsonb('diff').$type<Record<string, unknown>>(),
    prevHash: bytea('prev_hash')
      .notNull()
      .default(sql`''::bytea`),
    hash: bytea('hash')
      .notNull()
      .default(sql`''::bytea`),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.seq] }),
    unique('audit_entries_id_key').on(t.organizationId, t.id),
    index('audit_entries_at_idx').on(t.organizationId, t.at),
    index('audit_entries_target_idx').on(t.organizationId, t.targetType, t.targetId, t.seq),
    index('audit_entries_actor_idx').on(t.organizationId, t.actorId, t.seq),
    index('audit_entries_intent_idx')
      .on(t.organizationId, t.intentId)
      .where(sql`intent_id is not null`),
    index('audit_entries_unknown_idx')
      .on(t.organizationId, t.seq)
      .where(sql`outcome = 'unknown'`),
    pgPolicy('tenant', { for: 'select', to: appRole, using: sql`organization_id = ${currentOrganization}` }),
    pgPolicy('append', {
      for: 'insert',
      to: appRole,
      withCheck: sql`organization_id = ${currentOrganization}`,
    }),
    systemPolicy(),
  ],
)
