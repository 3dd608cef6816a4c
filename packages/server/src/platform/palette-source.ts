import type { PaletteEntity } from '@bey/contract'
import type { Db } from './db/database.ts'

export type PaletteWindow = {
  organizationId: number
  /** Id of the last row of the page before; newest rows come first. */
  after: string | undefined
  /** Part of the title, in any case. */
  search: string | undefined
  limit: number
}

/** Rows of one type of entity for the command palette, newest first; deleted ones are left out. */
export type PaletteSource = (db: Db, window: PaletteWindow) => Promise<PaletteEntity[]>
