import { sql } from 'drizzle-orm'
import { bigint, pgPolicy, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { appRole, bytea, currentOrganization, instant, organizationId, systemPolicy } from './columns.ts'

/**
 * Signed states of audit chains. `hourly`: the chain had this hash at this position. `removed`: the entries up to this
 * position were deleted by the organization's retention, and the chain begins after it. Append-only by grant and trigger.
 */
export const auditCheckpoints = pgTable(
  'audit_checkpoints',
  {
    organizationId: organizationId(),
    kind: text('kind').$type<'hourly' | 'removed'>().notNull(),
    position: bigint('position', { mode: 'number' }).notNull(),
    at: instant('at').notNull(),
    hash: bytea('hash').notNull(),
    keyId: text('key_id').notNull(),
    signature: bytea('signature').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.kind, t.position] }),
    pgPolicy('tenant', { for: 'select', to: appRole, using: sql`organization_id = ${currentOrganization}` }),
    systemPolicy(),
  ],
)
