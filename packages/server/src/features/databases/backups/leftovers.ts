import { and, eq, inArray, isNotNull } from 'drizzle-orm'

import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { databaseBackups } from '../../../tables/database-backups.ts'
import { updateBackup } from './backup-rows.ts'
import type { OpenBackupStore } from './backup-store.ts'

type Options = { database: Database; openStore: OpenBackupStore; log: Log }

/**
 * Removes what backups that failed or were deleted left in their stores. Never throws: what a store does not remove now, the
 * next call tries again.
 */
export function createLeftovers({ database, openStore, log }: Options) {
  return async function removeLeftovers(organizationId: number, databaseId: string): Promise<void> {
    try {
      const rows = await database.readTenant(organizationId, (db) =>
        db
          .select({
            id: databaseBackups.id,
            targetId: databaseBackups.targetId,
            storeKey: databaseBackups.storeKey,
          })
          .from(databaseBackups)
          .where(
            and(
              eq(databaseBackups.organizationId, organizationId),
              eq(databaseBackups.databaseId, databaseId),
              inArray(databaseBackups.status, ['failed', 'deleted']),
              isNotNull(databaseBackups.storeKey),
            ),
          )
          .limit(100),
      )
      for (const { id, targetId, storeKey } of rows) {
        if (storeKey === null) continue
        const store = await openStore(organizationId, targetId)
        await store.remove(storeKey)
        await database.withTenant(organizationId, (db) =>
          updateBackup(db, organizationId, id, { storeKey: null, place: null }),
        )
      }
    } catch (error) {
      log.warn(
        { err: error, databaseId },
        'What a backup left in its store was not removed; tried again later',
      )
    }
  }
}

export type RemoveLeftovers = ReturnType<typeof createLeftovers>
