import type { InvitationRole } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgPolicy, pgTable, text } from 'drizzle-orm/pg-core'

import {
  appRole,
  createdAt,
  currentOrganization,
  currentUserId,
  instant,
  systemPolicy,
  updatedAt,
} from './columns.ts'

/** Tenants. Created by the system only; changed by their members, read by every user with a membership. */
export const organizations = pgTable(
  'organizations',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    name: text('name').notNull(),
    /** An IANA name. */
    timeZone: text('time_zone').notNull().default('UTC'),
    /** What an invitation proposes. */
    defaultRole: text('default_role').$type<InvitationRole>().notNull().default('MEMBER'),
    /** While it waits to be deleted. The person's id without a reference: they may be gone before it is. */
    deletionRequestedAt: instant('deletion_requested_at'),
    deletionRequestedBy: integer('deletion_requested_by'),
    deletesAt: instant('deletes_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    index('organizations_deletes_at_idx')
      .on(t.deletesAt)
      .where(sql`${t.deletesAt} is not null`),
    check('organizations_default_role_is_known', sql`${t.defaultRole} in ('ADMIN', 'MEMBER', 'VIEWER')`),
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
