import { sql } from 'drizzle-orm'
import { integer, pgPolicy, pgTable, text } from 'drizzle-orm/pg-core'

import { appRole, createdAt, currentOrganization, currentUserId, systemPolicy, updatedAt } from './columns.ts'

/** Tenants. Created by the system only; changed by their members, read by every user with a membership. */
export const organizations = pgTable(
  'organizations',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  () => [
    pgPolicy('tenant', {
      for: 'all',
      to: appRole,
      using: sql`id = ${currentOrganization}`,
      withCheck: sql`id = ${currentOrganization}`,
    }),
    pgPolicy('mine', {
      for: 'select',
      to: appRole,
      using: sql`exists (select 1 from memberships m where m.organization_id = organizations.id and m.user_id = ${currentUserId})`,
    }),
    systemPolicy(),
  ],
)
