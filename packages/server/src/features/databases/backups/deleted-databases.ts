import { recoverableWindow, restorableStatuses } from '@bey/contract'
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'

import type { Database } from '../../../platform/db/database.ts'
import { countUpTo } from '../../../platform/db/totals.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { databaseBackups } from '../../../tables/database-backups.ts'
import { databases } from '../../../tables/databases.ts'
import { findRecoverable } from './window.ts'

/** Deleted databases of which backups are kept. */
export function deletedDatabaseHandlers({
  database,
}: {
  database: Database
}): Handlers<'databases.deletedBackups'> {
  return {
    'databases.deletedBackups': ({ caller: { organizationId }, query: { page, limit } }) =>
      database.readTenant(organizationId, async (db) => {
        const where = and(
          eq(databases.organizationId, organizationId),
          isNotNull(databases.deletedAt),
          eq(databaseBackups.organizationId, organizationId),
          inArray(databaseBackups.status, [...restorableStatuses]),
        )
        const joined = eq(databaseBackups.databaseId, databases.id)
        const rows = await db
          .select({
            id: databases.id,
            name: databases.name,
            plan: databases.plan,
            deletedAt: databases.deletedAt,
            backups: sql<number>`count(*)::int`,
            storedBytes: sql<number>`coalesce(sum(${databaseBackups.storedBytes}), 0)::float8`,
            isLocked: sql<boolean>`bool_or(${databaseBackups.isLocked})`,
            expiresAt: sql<Date | null>`max(${databaseBackups.expiresAt})`,
          })
          .from(databases)
          .innerJoin(databaseBackups, joined)
          .where(where)
          .groupBy(databases.id)
          .orderBy(desc(databases.deletedAt), desc(databases.id))
          .limit(limit)
          .offset((page - 1) * limit)
        const total = await countUpTo(
          db,
          sql`select distinct ${databases.id} from ${databases} join ${databaseBackups} on ${joined} where ${where}`,
        )
        const found = []
        for (const { isLocked, expiresAt, deletedAt, ...row } of rows) {
          const { backups, wal } = await findRecoverable(db, organizationId, row.id)
          const untilMs = recoverableWindow(backups, wal).ranges.at(-1)?.toMs
          found.push({
            ...row,
            deletedAt: deletedAt?.toISOString() ?? '',
            restorableUntil: untilMs === undefined ? null : new Date(untilMs).toISOString(),
            expiresAt: isLocked || expiresAt === null ? null : new Date(expiresAt).toISOString(),
          })
        }
        return { databases: found, ...total, page, limit }
      }),
  }
}
