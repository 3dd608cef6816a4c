import { databasePlans } from '@bey/contract'
import { and, eq, inArray, isNotNull } from 'drizzle-orm'

import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { databaseRestores } from '../../../tables/database-restores.ts'
import type { DatabasePlacement, DatabaseProviders, ProviderDatabase } from '../provider.ts'
import type { DatabaseRow } from '../store.ts'
import { type RestoreRow, updateRestore } from './restore-rows.ts'

/** The throw-away server of a drill, as the provider knows it. */
export function drillServer(drill: Pick<RestoreRow, 'id'>, source: DatabaseRow): ProviderDatabase {
  const { name, databaseName, username, plan } = source
  return {
    id: drill.id,
    name: `drill of ${name}`,
    databaseName,
    username,
    plan: databasePlans[plan ?? 'small'],
  }
}

/** Where its server is; null while no place was chosen, and once it is removed. */
export function drillPlacement({
  machineId,
  dir,
  port,
}: Pick<RestoreRow, 'machineId' | 'dir' | 'port'>): DatabasePlacement | null {
  return machineId === null || dir === null || port === null ? null : { machineId, dir, port }
}

type Options = { database: Database; providers: Pick<DatabaseProviders, 'embedded'>; log: Log }
type Drill = Pick<RestoreRow, 'id' | 'organizationId' | 'machineId' | 'dir' | 'port'>

/** Stops the server of a drill, removes its files and gives its memory back. Answers what was removed. */
export async function removeDrillServer(
  { database, providers }: Omit<Options, 'log'>,
  drill: Drill,
): Promise<string | undefined> {
  const placement = drillPlacement(drill)
  if (placement === null || !providers.embedded.isHere(placement)) return undefined
  await providers.embedded.stop(drill.id, placement)
  const removed = await providers.embedded.remove(placement)
  await database.withTenant(drill.organizationId, (db) =>
    updateRestore(db, drill.organizationId, drill.id, { machineId: null, dir: null, port: null }),
  )
  return removed
}

/** Removes the throw-away servers of drills and of restores of one table whose run ended before it did. Never throws: the next call tries again. */
export function createDrillCleanup({ database, providers, log }: Options) {
  return async function removeDrillServers(organizationId: number, databaseId: string): Promise<void> {
    try {
      const left = await database.readTenant(organizationId, (db) =>
        db
          .select({
            id: databaseRestores.id,
            organizationId: databaseRestores.organizationId,
            machineId: databaseRestores.machineId,
            dir: databaseRestores.dir,
            port: databaseRestores.port,
          })
          .from(databaseRestores)
          .where(
            and(
              eq(databaseRestores.organizationId, organizationId),
              eq(databaseRestores.databaseId, databaseId),
              inArray(databaseRestores.kind, ['drill', 'table']),
              inArray(databaseRestores.status, ['completed', 'failed', 'cancelled']),
              isNotNull(databaseRestores.dir),
            ),
          ),
      )
      for (const drill of left) await removeDrillServer({ database, providers }, drill)
    } catch (error) {
      log.warn({ err: error, databaseId }, 'The server of a drill was not removed; tried again later')
    }
  }
}
