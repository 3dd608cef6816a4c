import { foreignKey, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { clusters } from './clusters.ts'
import { bytea, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'

/**
 * Lists of clusters as they were last read, for the time when a cluster does not answer after a restart. What lists
 * show, never whole objects, and nothing of Secrets.
 */
export const clusterLists = pgTable(
  'cluster_lists',
  {
    organizationId: organizationId(),
    clusterId: integer('cluster_id').notNull(),
    /** The name of a kind, what the watch cache calls the rows of a resource, or `discovery`. */
    key: text('key').notNull(),
    asOf: instant('as_of').notNull(),
    /** JSON, compressed with gzip. */
    content: bytea('content').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organizationId, t.clusterId, t.key] }),
    foreignKey({
      name: 'cluster_lists_cluster_fk',
      columns: [t.organizationId, t.clusterId],
      foreignColumns: [clusters.organizationId, clusters.id],
    }).onDelete('cascade'),
    tenantPolicy(),
    systemPolicy(),
  ],
)
