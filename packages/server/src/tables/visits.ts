import { foreignKey, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { memberships } from './memberships.ts'

/** When each member was last in the console of an organization, and when the visit before ended. */
export const visits = pgTable(
  'visits',
  {
    organizationId: organizationId(),
    userId: integer('user_id').notNull(),
    seenAt: instant('seen_at').notNull(),
    /** Null during the first visit. */
    leftAt: instant('left_at'),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.userId] }),
    foreignKey({
      name: 'visits_membership_fk',
      columns: [t.organizationId, t.userId],
      foreignColumns: [memberships.organizationId, memberships.userId],
    }).onDelete('cascade'),
    tenantPolicy(),
    systemPolicy(),
  ],
)
