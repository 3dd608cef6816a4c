import { databaseLimits, type Health, healthOfDatabase } from '@bey/contract'
import { asc, isNull, sql } from 'drizzle-orm'

import type { Database } from '../../platform/db/database.ts'
import { databases } from '../../tables/databases.ts'
import { isPhaseUnknown, presentFigures } from './present.ts'
import { selectDatabases } from './store.ts'

/** How one database is. */
export type DatabaseHealth = { id: string; name: string; health: Health }

/** How the databases of an organization are, by name: what was found when each was last looked at. */
export function databaseHealthReader(database: Pick<Database, 'readTenant'>) {
  return (organizationId: number): Promise<DatabaseHealth[]> =>
    database.readTenant(organizationId, async (db) => {
      const rows = await selectDatabases(db, organizationId, isNull(databases.deletedAt))
        .orderBy(asc(sql`lower(${databases.name})`))
        .limit(databaseLimits.perOrganization)
      return rows.map((row) => {
        const { id, name, status, reason, backupTrouble } = row
        const statusSince = row.statusSince.toISOString()
        return {
          id,
          name,
          health: healthOfDatabase({
            status,
            reason,
            statusSince,
            figures: presentFigures(row),
            backupTrouble,
            isPhaseUnknown: isPhaseUnknown(row),
          }),
        }
      })
    })
}
