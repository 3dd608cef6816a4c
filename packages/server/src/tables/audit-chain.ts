import { sql } from 'drizzle-orm'
import { bigint, integer, pgPolicy, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core'

import { appRole, bytea, currentOrganization, organizationId, systemPolicy } from './columns.ts'

const tenantReads = () =>
  pgPolicy('tenant', { for: 'select', to: appRole, using: sql`organization_id = ${currentOrganization}` })

/**
 * The chain over an organization's audit entries, without gaps and in the order in which they became visible. Written
 * by `link_audit` only, append-only by grant and trigger.
 */
export const auditLinks = pgTable(
  'audit_links',
  {
    organizationId: organizationId(),
    position: bigint('position', { mode: 'number' }).notNull(),
    entrySeq: bigint('entry_seq', { mode: 'number' }).notNull(),
    entryHash: bytea('entry_hash').notNull(),
    prevHash: bytea('prev_hash').notNull(),
    hash: bytea('hash').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.position] }),
    unique('audit_links_entry_key').on(t.organizationId, t.entrySeq),
    tenantReads(),
    systemPolicy(),
  ],
)

/**
 * Entries that wait for their link. Written in the entry's own transaction; a trigger lets a row go only once its link
 * is there, so that an entry is covered from its commit on.
 */
export const auditPending = pgTable(
  'audit_pending',
  {
    organizationId: organizationId(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    entryHash: bytea('entry_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.seq] }), tenantReads(), systemPolicy()],
)

/** The last link of each organization's chain, so that links cut off its end are missed. Written by `link_audit` only. */
export const auditHeads = pgTable(
  'audit_heads',
  {
    organizationId: integer('organization_id').primaryKey(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    hash: bytea('hash').notNull(),
  },
  () => [tenantReads(), systemPolicy()],
)
