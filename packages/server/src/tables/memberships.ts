import type { Role } from '@bey/contract/base/permissions'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgPolicy, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import {
  appRole,
  createdAt,
  currentUserId,
  organizationId,
  systemPolicy,
  tenantPolicy,
  updatedAt,
} from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Who belongs to which organization, and as what. */
export const memberships = pgTable(
  'memberships',
  {
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    userId: integer('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role').$type<Role>().notNull(),
    /** How they came here. */
    origin: text('origin').$type<'founder' | 'invitation' | 'provider'>().notNull().default('founder'),
    /** Who invited them; null for others. */
    invitedBy: integer('invited_by').references(() => users.id, { onDelete: 'set null' }),
    /** The sign-in provider that brought them, as people know it; null for others. */
    provider: text('provider'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.userId] }),
    index('memberships_user_id_idx').on(t.userId),
    index('memberships_invited_by_idx').on(t.invitedBy),
    check('memberships_role_is_known', sql`${t.role} in ('OWNER', 'ADMIN', 'MEMBER', 'VIEWER')`),
    check('memberships_origin_is_known', sql`${t.origin} in ('founder', 'invitation', 'provider')`),
    tenantPolicy(),
    pgPolicy('mine', { for: 'select', to: appRole, using: sql`user_id = ${currentUserId}` }),
    systemPolicy(),
  ],
)
