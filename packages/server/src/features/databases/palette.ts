import { entities, healthOfDatabase, type PaletteEntity } from '@bey/contract'
import { and, desc, eq, ilike, isNull, lt } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import type { PaletteWindow } from '../../platform/palette-source.ts'
import { isPhaseUnknown } from './present.ts'
import { databases } from '../../tables/databases.ts'

/** Databases for the palette. Ids grow with time. */
export async function paletteDatabases(db: Db, window: PaletteWindow): Promise<PaletteEntity[]> {
  const { organizationId, after, search, limit } = window
  const rows = await db
    .select({
      id: databases.id,
      name: databases.name,
      description: databases.description,
      engine: databases.engine,
      version: databases.version,
      host: databases.host,
      status: databases.status,
      statusSince: databases.statusSince,
      reason: databases.reason,
      figures: databases.figures,
      cnpg: databases.cnpg,
      createdAt: databases.createdAt,
    })
    .from(databases)
    .where(
      and(
        eq(databases.organizationId, organizationId),
        isNull(databases.deletedAt),
        after === undefined ? undefined : lt(databases.id, after),
        search ? ilike(databases.name, containing(search)) : undefined,
      ),
    )
    .orderBy(desc(databases.id))
    .limit(limit)
  return rows.map((row) => ({
    id: row.id,
    type: 'database',
    title: entities.database.label(row),
    subtitle: entities.database.subtitle(row),
    status: row.status,
    health: healthOfDatabase({
      ...row,
      statusSince: row.statusSince.toISOString(),
      isPhaseUnknown: isPhaseUnknown(row),
    }),
    createdAt: row.createdAt.toISOString(),
    isReadOnly: false,
    lastUsedAt: null,
  }))
}
