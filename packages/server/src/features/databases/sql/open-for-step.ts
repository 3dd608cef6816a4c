import { and, eq, isNull, or, sql } from 'drizzle-orm'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { AppError } from '../../../platform/errors.ts'
import { databases } from '../../../tables/databases.ts'
import type { StepParts } from '../../workflows/steps/ports.ts'
import type { DatabaseParts } from '../parts.ts'
import { databaseTarget } from '../present.ts'
import { selectDatabases } from '../store.ts'
import { openSession } from './open-session.ts'
import { requireHarmless } from './require-harmless.ts'

/** The name of a session in the server's own views. */
const applicationName = 'bey-workflow'

/** Opens the databases that steps of workflows name, with the rights of the SQL console. */
export function databaseOpener(
  parts: Pick<DatabaseParts, 'database' | 'providers' | 'credentials'>,
): StepParts['openDatabase'] {
  return async (organizationId, nameOrId, isReadOnly) => {
    const isMeant = or(eq(databases.name, nameOrId), eq(sql`${databases.id}::text`, nameOrId))
    const [row] = await parts.database.readTenant(organizationId, (db) =>
      selectDatabases(db, organizationId, and(isNull(databases.deletedAt), isMeant)).limit(1),
    )
    if (row === undefined) throw new StepFailure(`There is no database "${nameOrId}" in this organization.`)
    try {
      const client = await openSession(parts, row, isReadOnly ? 'read' : 'write', applicationName)
      try {
        if (isReadOnly) await requireHarmless(client, row.name)
      } catch (error) {
        await client.end()
        throw error
      }
      return { client, target: databaseTarget(row) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const isLost = error.code === 'database_unreachable'
      throw new StepFailure(error.message, { cause: error, ...(isLost && { reason: 'network' }) })
    }
  }
}
