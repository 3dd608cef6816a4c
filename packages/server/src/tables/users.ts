import { sql } from 'drizzle-orm'
import { check, index, integer, pgPolicy, pgTable, text, unique } from 'drizzle-orm/pg-core'

import { appRole, createdAt, currentOrganization, currentUserId, systemPolicy, updatedAt } from './columns.ts'
import { organizations } from './organizations.ts'

/**
 * People who log in. Visible to themselves and to those who share the current organization.
 * `password_hash` can be written but not read by the application role: `find_login` reads it.
 */
export const users = pgTable(
  'users',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    passwordHash: text('password_hash'),
    activeOrganizationId: integer('active_organization_id').references(() => organizations.id, {
      onDelete: 'set null',
    }),
    /** The demo that an invented person or a visitor belongs to, with which they go; they have no password. */
    demoOrganizationId: integer('demo_organization_id').references(() => organizations.id, {
      onDelete: 'cascade',
    }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    unique('users_email_key').on(t.email),
    check('users_email_is_lower_case', sql`${t.email} = lower(${t.email})`),
    index('users_active_organization_id_idx').on(t.activeOrganizationId),
    index('users_demo_organization_id_idx')
      .on(t.demoOrganizationId)
      .where(sql`${t.demoOrganizationId} is not null`),
    pgPolicy('own', {
      for: 'all',
      to: appRole,
      using: sql`id = ${currentUserId}`,
      withCheck: sql`id = ${currentUserId}`,
    }),
    pgPolicy('colleague', {
      for: 'select',
      to: appRole,
      using: sql`exists (select 1 from memberships m where m.user_id = users.id and m.organization_id = ${currentOrganization})`,
    }),
    systemPolicy(),
  ],
)
