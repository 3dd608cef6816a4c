import { healthOfDatabase } from '@bey/contract'
import { and, eq, isNull } from 'drizzle-orm'

import type { Database } from '../../platform/db/database.ts'
import { entitySource, type InventorySource } from '../../platform/inventory.ts'
import { clusters } from '../../tables/clusters.ts'
import { databases } from '../../tables/databases.ts'
import { users } from '../../tables/users.ts'
import { isPhaseUnknown, presentFigures } from './present.ts'

/** Databases for the inventory, without those that are deleted. */
export function databaseResources(database: Pick<Database, 'readTenant'>): InventorySource {
  return entitySource(database, 'database', async (db, { organizationId }) => {
    const rows = await db
      .select({
        id: databases.id,
        name: databases.name,
        status: databases.status,
        statusSince: databases.statusSince,
        reason: databases.reason,
        figures: databases.figures,
        backupTrouble: databases.backupTrouble,
        cnpg: databases.cnpg,
        clusterId: databases.clusterId,
        clusterTitle: clusters.title,
        createdBy: databases.createdBy,
        createdByName: users.name,
        createdAt: databases.createdAt,
      })
      .from(databases)
      .leftJoin(users, eq(users.id, databases.createdBy))
      .leftJoin(
        clusters,
        and(eq(clusters.organizationId, databases.organizationId), eq(clusters.id, databases.clusterId)),
      )
      .where(and(eq(databases.organizationId, organizationId), isNull(databases.deletedAt)))
    return rows.map((row) => ({
      ...row,
      cluster:
        row.clusterId !== null && row.clusterTitle !== null
          ? { id: row.clusterId, title: row.clusterTitle }
          : null,
      health: healthOfDatabase({
        status: row.status,
        reason: row.reason,
        statusSince: row.statusSince.toISOString(),
        figures: presentFigures(row),
        backupTrouble: row.backupTrouble,
        isPhaseUnknown: isPhaseUnknown(row),
      }),
    }))
  })
}
