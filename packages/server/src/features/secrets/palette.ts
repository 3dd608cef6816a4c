import { entities, type PaletteEntity, secretTypeLabels } from '@bey/contract'
import { and, desc, eq, ilike, inArray, lt } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import type { PaletteWindow } from '../../platform/palette-source.ts'
import { secrets } from '../../tables/secrets.ts'

/** Secrets for the palette, without those that are being deleted. Ids grow with time. */
export async function paletteSecrets(db: Db, window: PaletteWindow): Promise<PaletteEntity[]> {
  const rows = await db
    .select({
      id: secrets.id,
      name: secrets.name,
      description: secrets.description,
      type: secrets.type,
      status: secrets.status,
      lastReadAt: secrets.lastReadAt,
      lastUsedAt: secrets.lastUsedAt,
      createdAt: secrets.createdAt,
    })
    .from(secrets)
    .where(
      and(
        eq(secrets.organizationId, window.organizationId),
        inArray(secrets.status, ['active', 'disabled']),
        window.after === undefined ? undefined : lt(secrets.id, window.after),
        window.search ? ilike(secrets.name, containing(window.search)) : undefined,
      ),
    )
    .orderBy(desc(secrets.id))
    .limit(window.limit)
  return rows.map((row) => ({
    id: row.id,
    type: 'secret',
    title: entities.secret.label(row),
    subtitle: entities.secret.subtitle({ ...row, typeLabel: secretTypeLabels[row.type] }),
    status: row.status,
    health: null,
    createdAt: row.createdAt.toISOString(),
    isReadOnly: false,
    lastUsedAt: (row.lastUsedAt ?? row.lastReadAt)?.toISOString() ?? null,
  }))
}
