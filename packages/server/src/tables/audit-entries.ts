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

/** What allowed an act: the role, the permission that the endpoint asks for, and the session. */
export type AuditGrounds = { role?: string; permission?: string; sessionId?: string }

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
    /** In entries from before e-mail addresses were recorded: the name or the address. */
    actorDisplay: text('actor_display').notNull().default(''),
    /** Of a person; null in older entries, whose hash does not cover it. */
    actorEmail: text('actor_email'),
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
    /** Why it was allowed; null of what the server did by itself and of entries from before it was recorded. */
    grounds: jsonb('grounds').$type<AuditGrounds>(),
    /** `resource/namespace/name` of the Kubernetes object that it is about; set by a trigger from `diff`. */
    objectKey: text('object_key'),
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
    // Lists are in the order of time; each filter of theirs has an index in that order.
    index('audit_entries_time_idx').on(t.organizationId, t.at, t.seq),
    index('audit_entries_target_time_idx').on(t.organizationId, t.targetType, t.targetId, t.at, t.seq),
    index('audit_entries_actor_time_idx').on(t.organizationId, t.actorId, t.at, t.seq),
    index('audit_entries_action_time_idx').on(t.organizationId, t.action, t.at, t.seq),
    index('audit_entries_class_time_idx').on(t.organizationId, t.class, t.at, t.seq),
    // A text is looked up as the actors that carry it, who did much of other classes.
    index('audit_entries_class_actor_time_idx').on(t.organizationId, t.class, t.actorId, t.at, t.seq),
    index('audit_entries_ip_time_idx').on(t.organizationId, t.ip, t.at, t.seq),
    index('audit_entries_name_time_idx').on(t.organizationId, t.targetName, t.at, t.seq),
    index('audit_entries_request_idx').on(t.organizationId, t.requestId),
    index('audit_entries_outcome_time_idx')
      .on(t.organizationId, t.outcome, t.at, t.seq)
      .where(sql`outcome <> 'success'`),
    index('audit_entries_object_idx')
      .on(t.organizationId, t.targetId, t.objectKey, t.at, t.seq)
      .where(sql`object_key is not null`),
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
