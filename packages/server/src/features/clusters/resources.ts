import { healthOfCluster } from '@bey/contract'
import { and, eq, isNull, sql } from 'drizzle-orm'

import type { Database } from '../../platform/db/database.ts'
import { entitySource, type InventorySource } from '../../platform/inventory.ts'
import { clusterHealth } from '../../tables/cluster-health.ts'
import { clusters } from '../../tables/clusters.ts'
import { observedHealth, type ObservedHealthColumn } from '../../tables/observed-health.ts'
import { users } from '../../tables/users.ts'

/** Clusters for the inventory, without those that are deleted. */
export function clusterResources(database: Pick<Database, 'readTenant'>): InventorySource {
  return entitySource(database, 'cluster', async (db, { organizationId }) => {
    const rows = await db
      .select({
        id: clusters.id,
        name: clusters.title,
        labels: clusters.labels,
        status: clusters.status,
        error: clusters.error,
        reachability: clusters.reachability,
        reachabilitySince: clusters.reachabilitySince,
        reachabilityReason: clusters.reachabilityReason,
        observed: sql<ObservedHealthColumn>`(
          select ${sql.raw(observedHealth)} from ${clusterHealth} h where h.cluster_id = ${clusters.id})`,
        createdBy: clusters.createdBy,
        createdByName: users.name,
        createdAt: clusters.createdAt,
      })
      .from(clusters)
      .leftJoin(users, eq(users.id, clusters.createdBy))
      .where(and(eq(clusters.organizationId, organizationId), isNull(clusters.deletedAt)))
    return rows.map((row) => ({
      ...row,
      cluster: { id: row.id, title: row.name },
      health: healthOfCluster({
        ...row,
        reachability: {
          state: row.reachability,
          since: row.reachabilitySince?.toISOString() ?? null,
          reason: row.reachabilityReason,
        },
      }),
    }))
  })
}
