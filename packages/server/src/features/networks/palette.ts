import { entities, healthOfNetwork, type PaletteEntity } from '@bey/contract'
import { and, desc, eq, ilike, isNull, lt } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import type { PaletteWindow } from '../../platform/palette-source.ts'
import { networks } from '../../tables/networks.ts'

/** Networks for the palette. Ids grow with time. */
export async function paletteNetworks(db: Db, window: PaletteWindow): Promise<PaletteEntity[]> {
  const { organizationId, after, search, limit } = window
  const rows = await db
    .select({
      id: networks.id,
      name: networks.name,
      description: networks.description,
      cidr: networks.cidr,
      cidr6: networks.cidr6,
      status: networks.status,
      statusSince: networks.statusSince,
      reason: networks.reason,
      createdAt: networks.createdAt,
    })
    .from(networks)
    .where(
      and(
        eq(networks.organizationId, organizationId),
        isNull(networks.deletedAt),
        after === undefined ? undefined : lt(networks.id, after),
        search ? ilike(networks.name, containing(search)) : undefined,
      ),
    )
    .orderBy(desc(networks.id))
    .limit(limit)
  return rows.map((row) => ({
    id: row.id,
    type: 'network',
    title: entities.network.label(row),
    subtitle: entities.network.subtitle(row),
    status: row.status,
    health: healthOfNetwork({ ...row, statusSince: row.statusSince.toISOString() }),
    createdAt: row.createdAt.toISOString(),
    isReadOnly: false,
    lastUsedAt: null,
  }))
}
