import { index, integer, pgTable } from 'drizzle-orm/pg-core'

import { createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { clusters } from './clusters.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/**
 * Organizations that are demos: what they hold is seeded, and all of it goes with them, the audit trail included. The
 * row is made with its organization and never for another one.
 */
export const demos = pgTable(
  'demos',
  {
    organizationId: organizationId()
      .primaryKey()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Who asked for it; one person has one demo. */
    createdBy: integer('created_by').references(() => users.id, { onDelete: 'set null' }),
    /** The cluster whose incident the guide is about. */
    incidentClusterId: integer('incident_cluster_id').references(() => clusters.id, { onDelete: 'set null' }),
    /** When it is removed by itself. */
    endsAt: instant('ends_at').notNull(),
    /** When a member last looked; its sandboxes sleep some time after that. */
    seenAt: instant('seen_at').notNull(),
    asleepSince: instant('asleep_since'),
    createdAt: createdAt(),
  },
  (t) => [
    index('demos_created_by_idx').on(t.createdBy),
    index('demos_incident_cluster_id_idx').on(t.incidentClusterId),
    index('demos_ends_at_idx').on(t.endsAt),
    tenantPolicy(),
    systemPolicy(),
  ],
)
