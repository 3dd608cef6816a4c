import { entities, type PaletteEntity } from '@bey/contract'
import { and, desc, eq, ilike, isNull, lt, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import type { PaletteWindow } from '../../platform/palette-source.ts'
import { lastRun } from '../../tables/last-run.ts'
import { workflows } from '../../tables/workflows.ts'

/** Workflows for the palette. The keyset (organization_id, id) is a unique key of the table; ids grow with time. */
export async function paletteWorkflows(db: Db, window: PaletteWindow): Promise<PaletteEntity[]> {
  const rows = await db
    .select({
      id: workflows.id,
      name: workflows.name,
      description: workflows.description,
      builtIn: workflows.builtIn,
      status: lastRun.status,
      lastRunAt: lastRun.queuedAt,
      createdAt: workflows.createdAt,
    })
    .from(workflows)
    .leftJoinLateral(lastRun, sql`true`)
    .where(
      and(
        eq(workflows.organizationId, window.organizationId),
        isNull(workflows.deletedAt),
        window.after === undefined ? undefined : lt(workflows.id, window.after),
        window.search ? ilike(workflows.name, containing(window.search)) : undefined,
      ),
    )
    .orderBy(desc(workflows.id))
    .limit(window.limit)
  return rows.map((row) => ({
    id: row.id,
    type: 'workflow',
    title: entities.workflow.label(row),
    subtitle: entities.workflow.subtitle(row),
    status: row.status ?? 'idle',
    health: null,
    createdAt: row.createdAt.toISOString(),
    isReadOnly: row.builtIn !== null,
    lastUsedAt: row.lastRunAt?.toISOString() ?? null,
  }))
}
