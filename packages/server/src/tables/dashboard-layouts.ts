import type { PlacedCard } from '@bey/contract/analytics/dashboard-cards'
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, jsonb, pgTable, unique, uuid } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { memberships } from './memberships.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** How members arranged their dashboards, and the arrangement that is shared with everybody else. */
export const dashboardLayouts = pgTable(
  'dashboard_layouts',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`gen_random_uuid()`),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    /** Whose it is; null: shared with the organization. */
    userId: integer('user_id'),
    cards: jsonb('cards').$type<PlacedCard[]>().notNull(),
    updatedBy: integer('updated_by').references(() => users.id, { onDelete: 'set null' }),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    unique('dashboard_layouts_owner_key').on(t.organizationId, t.userId).nullsNotDistinct(),
    // Goes with the membership.
    foreignKey({
      name: 'dashboard_layouts_membership_fk',
      columns: [t.organizationId, t.userId],
      foreignColumns: [memberships.organizationId, memberships.userId],
    }).onDelete('cascade'),
    index('dashboard_layouts_updated_by_idx').on(t.updatedBy),
    tenantPolicy(),
    systemPolicy(),
  ],
)
