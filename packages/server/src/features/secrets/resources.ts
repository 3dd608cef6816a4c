import { and, eq, inArray } from 'drizzle-orm'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { entitySource, type InventorySource, staleAt } from '../../platform/inventory.ts'
import { secrets } from '../../tables/secrets.ts'
import { users } from '../../tables/users.ts'

/** Secrets for the inventory by what is said of them, never their values; without those that are being deleted. */
export function secretResources(database: Pick<Database, 'readTenant'>, clock: Clock): InventorySource {
  return entitySource(database, 'secret', async (db, { organizationId }) => {
    const rows = await db
      .select({
        id: secrets.id,
        name: secrets.name,
        labels: secrets.labels,
        lastReadAt: secrets.lastReadAt,
        lastUsedAt: secrets.lastUsedAt,
        createdBy: secrets.createdBy,
        createdByName: users.name,
        createdAt: secrets.createdAt,
        expiresAt: secrets.expiresAt,
      })
      .from(secrets)
      .leftJoin(users, eq(users.id, secrets.createdBy))
      .where(and(eq(secrets.organizationId, organizationId), inArray(secrets.status, ['active', 'disabled'])))
    const { isStale } = staleAt(clock)
    return rows.map((row) => {
      const times = [row.createdAt, row.lastReadAt, row.lastUsedAt]
      return { ...row, marks: isStale(times) ? (['stale'] as const) : [] }
    })
  })
}
