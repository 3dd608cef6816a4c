import { and, eq } from 'drizzle-orm'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { entitySource, type InventorySource, staleAt } from '../../platform/inventory.ts'
import { mayNow } from '../../platform/keys/key-rights.ts'
import { apiKeys } from '../../tables/api-keys.ts'
import { users } from '../../tables/users.ts'
import { isLive } from './store.ts'

/** API keys that work, for the inventory: all of them for who manages them, their own for everybody else. */
export function apiKeyResources(database: Pick<Database, 'readTenant'>, clock: Clock): InventorySource {
  return entitySource(database, 'apiKey', async (db, { organizationId, userId, role }) => {
    const rows = await db
      .select({
        id: apiKeys.id,
        name: apiKeys.name,
        lastUsedAt: apiKeys.lastUsedAt,
        createdBy: apiKeys.madeBy,
        createdByName: users.name,
        createdAt: apiKeys.createdAt,
        expiresAt: apiKeys.expiresAt,
      })
      .from(apiKeys)
      .leftJoin(users, eq(users.id, apiKeys.madeBy))
      .where(
        and(
          eq(apiKeys.organizationId, organizationId),
          isLive,
          mayNow(role, 'apiKeys.manage') ? undefined : eq(apiKeys.ownerId, userId),
        ),
      )
    const { isStale } = staleAt(clock)
    return rows.map((row) => ({
      ...row,
      marks: isStale([row.createdAt, row.lastUsedAt]) ? (['stale'] as const) : [],
    }))
  })
}
