import { sql } from 'drizzle-orm'
import {
  bigint,
  index,
  integer,
  jsonb,
  pgPolicy,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'

import { appRole, bytea, currentOrganization, instant, organizationId, systemPolicy } from './columns.ts'

/**
 * The audit trail: append-only by grant and trigger, hash-chained per organization. `seq`, `prev_hash` and
 * `hash` are set by a trigger, whatever the insert says. Has no foreign key, for it outlives what it tells of;
 * organization 0 holds the entries of the server itself.
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
    outcome: text('outcome').notNull().default('success'),
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
    pgPolicy('tenant', { for: 'select', to: appRole, using: sql`organization_id = ${currentOrganization}` }),
    pgPolicy('append', {
      for: 'insert',
      to: appRole,
      withCheck: sql`organization_id = ${currentOrganization}`,
    }),
    systemPolicy(),
  ],
)

/** The end of each organization's chain, so that entries cut off its end are missed. Written by the trigger only. */
export const auditHeads = pgTable(
  'audit_heads',
  {
    organizationId: integer('organization_id').primaryKey(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    hash: bytea('hash').notNull(),
  },
  () => [
    pgPolicy('tenant', { for: 'select', to: appRole, using: sql`organization_id = ${currentOrganization}` }),
    systemPolicy(),
  ],
)
