import { sql } from 'drizzle-orm'
import { pgPolicy, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { appRole, currentOrganization, organizationId, systemPolicy } from './columns.ts'

/**
 * The different texts in an organization's audit entries, so that a search reads the few texts and not every entry.
 * `id` is the actor's id where there is one. Written by `link_audit`.
 */
export const auditTerms = pgTable(
  'audit_terms',
  {
    organizationId: organizationId(),
    field: text('field').$type<'actor' | 'actor_email' | 'action' | 'target' | 'ip'>().notNull(),
    value: text('value').notNull(),
    id: text('id').notNull().default(''),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.field, t.value, t.id] }),
    pgPolicy('tenant', { for: 'select', to: appRole, using: sql`organization_id = ${currentOrganization}` }),
    systemPolicy(),
  ],
)
