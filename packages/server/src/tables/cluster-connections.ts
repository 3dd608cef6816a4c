import { foreignKey, index, integer, pgTable, text } from 'drizzle-orm/pg-core'

import { clusters } from './clusters.ts'
import { bytea, organizationId, systemPolicy, tenantPolicy, updatedAt } from './columns.ts'

/** How the server reaches a cluster; `token_sealed` is encrypted with the organization's data key. */
export const clusterConnections = pgTable(
  'cluster_connections',
  {
    clusterId: integer('cluster_id').primaryKey(),
    organizationId: organizationId(),
    url: text('url'),
    caPem: text('ca_pem'),
    tokenSealed: bytea('token_sealed'),
    /** Machine, directory, port and process of a sandbox; null for other providers. */
    machineId: text('machine_id'),
    dir: text('dir'),
    port: integer('port'),
    pid: integer('pid'),
    updatedAt: updatedAt(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.clusterId],
      foreignColumns: [clusters.organizationId, clusters.id],
    }).onDelete('cascade'),
    index('cluster_connections_organization_id_idx').on(t.organizationId),
    index('cluster_connections_machine_id_idx').on(t.machineId),
    tenantPolicy(),
    systemPolicy(),
  ],
)
