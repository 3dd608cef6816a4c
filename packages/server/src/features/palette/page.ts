import { entityOf, paletteTypes, type PaletteEntity, type PaletteType, type Role } from '@bey/contract'
import type { Db } from '../../platform/db/database.ts'
import type { PaletteSource } from '../../platform/palette-source.ts'
import { formatCursor, type PaletteCursor } from './cursor.ts'
import { mayNow } from '../../platform/keys/key-rights.ts'

export type PaletteSources = Readonly<Record<PaletteType, PaletteSource>>

export type PaletteAsk = {
  organizationId: number
  /** Types that the role may not read are left out. */
  role: Role
  search: string | undefined
  cursor: PaletteCursor | undefined
  limit: number
}

/** One page of what the palette finds: type by type, each newest first. */
export async function palettePage(
  db: Db,
  sources: PaletteSources,
  { organizationId, role, search, cursor, limit }: PaletteAsk,
): Promise<{ items: PaletteEntity[]; nextCursor: string | null }> {
  const from = cursor === undefined ? 0 : paletteTypes.indexOf(cursor.type)
  const types = paletteTypes.slice(from).filter((type) => mayNow(role, entityOf(type).readPermission))
  const items: PaletteEntity[] = []
  for (const type of types) {
    const after = cursor?.type === type ? cursor.id : undefined
    // One row more than the page shows whether there is a next one.
    const missing = limit + 1 - items.length
    if (missing === 0) break
    // oxlint-disable-next-line no-await-in-loop -- a later type is asked only for what the ones before leave open
    items.push(...(await sources[type](db, { organizationId, after, search, limit: missing })))
  }
  const page = items.slice(0, limit)
  const last = page.at(-1)
  return { items: page, nextCursor: items.length > limit && last ? formatCursor(last) : null }
}
