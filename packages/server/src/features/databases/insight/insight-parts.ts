import type { DatabaseParts } from '../parts.ts'
import { existing } from '../present.ts'
import { type DatabaseRow, findDatabase } from '../store.ts'
import type { MonitorConnections } from './monitor-connections.ts'

/** What the functions of this part of the feature work with. */
export type InsightParts = Pick<DatabaseParts, 'database' | 'clock' | 'providers' | 'credentials'> & {
  monitors: MonitorConnections
}

/** The row of a database of the organization. Throws AppError `not_found`. */
export function findRow(
  { database }: Pick<InsightParts, 'database'>,
  organizationId: number,
  id: string,
): Promise<DatabaseRow> {
  return database.readTenant(organizationId, async (db) =>
    existing(await findDatabase(db, organizationId, id)),
  )
}
