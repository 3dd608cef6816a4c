import { entities, type PaletteEntity } from '@bey/contract'
import { and, desc, eq, ilike, lt } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import type { PaletteWindow } from '../../platform/palette-source.ts'
import { alerts } from '../../tables/alerts.ts'
import { stateOf } from './present.ts'
import { alertsById } from './store.ts'

/** Alerts for the palette. Ids grow with time. */
export async function paletteAlerts(db: Db, window: PaletteWindow): Promise<PaletteEntity[]> {
  const { organizationId, after, search, limit } = window
  const ids = db
    .select({ id: alerts.id })
    .from(alerts)
    .where(
      and(
        eq(alerts.organizationId, organizationId),
        after === undefined ? undefined : lt(alerts.id, after),
        search ? ilike(alerts.name, containing(search)) : undefined,
      ),
    )
    .orderBy(desc(alerts.id))
    .limit(limit)
  const rows = await alertsById(
    db,
    organizationId,
    (await ids).map(({ id }) => id),
  )
  return rows
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .map((row) => ({
      id: row.id,
      type: 'alert',
      title: entities.alert.label(row),
      subtitle: entities.alert.subtitle(row),
      status: stateOf(row),
      health: null,
      createdAt: row.createdAt.toISOString(),
      isReadOnly: false,
      lastUsedAt: null,
    }))
}
