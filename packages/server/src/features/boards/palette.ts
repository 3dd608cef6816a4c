import { entities, type PaletteEntity } from '@bey/contract'
import { and, desc, eq, ilike, lt } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import type { PaletteWindow } from '../../platform/palette-source.ts'
import { boards } from '../../tables/boards.ts'

/** Boards for the palette. Ids grow with time. */
export async function paletteBoards(db: Db, window: PaletteWindow): Promise<PaletteEntity[]> {
  const { organizationId, after, search, limit } = window
  const rows = await db
    .select({
      id: boards.id,
      name: boards.name,
      description: boards.description,
      createdAt: boards.createdAt,
    })
    .from(boards)
    .where(
      and(
        eq(boards.organizationId, organizationId),
        // The window names no user: a private board is found in the switcher of boards.
        eq(boards.visibility, 'organization'),
        after === undefined ? undefined : lt(boards.id, after),
        search ? ilike(boards.name, containing(search)) : undefined,
      ),
    )
    .orderBy(desc(boards.id))
    .limit(limit)
  return rows.map((row) => ({
    id: row.id,
    type: 'board',
    title: entities.board.label(row),
    subtitle: entities.board.subtitle(row),
    status: 'active',
    health: null,
    createdAt: row.createdAt.toISOString(),
    isReadOnly: false,
    lastUsedAt: null,
  }))
}
