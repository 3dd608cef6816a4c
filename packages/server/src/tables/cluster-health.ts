import type { ClusterOverview } from '@bey/contract/kubernetes/endpoints'
import type { HealthObject, HealthState } from '@bey/contract/base/health'
import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

import { instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { clusters } from './clusters.ts'

/**
 * How each running cluster is, as the process that observes it found it last. A table of its own: the row of a
 * cluster is read with every request, and health changes more often than clusters do.
 */
export const clusterHealth = pgTable(
  'cluster_health',
  {
    clusterId: integer('cluster_id').primaryKey(),
    organizationId: organizationId(),
    state: text('state').$type<HealthState>().notNull().default('starting'),
    reason: text('reason'),
    detail: text('detail'),
    since: instant('since'),
    object: jsonb('object').$type<HealthObject>(),
    /** The overview as it was last read, for the time when the cluster does not answer. */
    overview: jsonb('overview').$type<ClusterOverview>(),
    /** Whether the last notification to members was about trouble or about recovery; null before the first. */
    announced: text('announced').$type<'trouble' | 'recovery'>(),
    /** The process that observes the cluster, until then; without an observer the health is unknown. */
    observer: text('observer').notNull(),
    leaseUntil: instant('lease_until').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'cluster_health_cluster_fk',
      columns: [t.organizationId, t.clusterId],
      foreignColumns: [clusters.organizationId, clusters.id],
    }).onDelete('cascade'),
    index('cluster_health_organization_id_idx').on(t.organizationId, t.clusterId),
    check(
      'cluster_health_state_is_known',
      sql`${t.state} in ('failing', 'degraded', 'unknown', 'starting', 'healthy')`,
    ),
    tenantPolicy(),
    systemPolicy(),
  ],
)
