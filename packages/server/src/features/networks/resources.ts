import { healthOfNetwork } from '@bey/contract'
import { and, eq, isNull } from 'drizzle-orm'

import type { Database } from '../../platform/db/database.ts'
import { entitySource, type InventorySource } from '../../platform/inventory.ts'
import { networks } from '../../tables/networks.ts'
import { users } from '../../tables/users.ts'

/** Networks for the inventory, without those that are deleted. */
export function networkResources(database: Pick<Database, 'readTenant'>): InventorySource {
  return entitySource(database, 'network', async (db, { organizationId }) => {
    const rows = await db
      .select({
        id: networks.id,
        name: networks.name,
        status: networks.status,
        statusSince: networks.statusSince,
        reason: networks.reason,
        createdBy: networks.createdBy,
        createdByName: users.name,
        createdAt: networks.createdAt,
      })
      .from(networks)
      .leftJoin(users, eq(users.id, networks.createdBy))
      .where(and(eq(networks.organizationId, organizationId), isNull(networks.deletedAt)))
    return rows.map((row) => ({
      ...row,
      health: healthOfNetwork({ ...row, statusSince: row.statusSince.toISOString() }),
    }))
  })
}
