import type { Database } from '../../platform/db/database.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { parseCursor } from './cursor.ts'
import { palettePage, type PaletteSources } from './page.ts'

export function paletteRoutes(
  database: Pick<Database, 'readTenant'>,
  sources: PaletteSources,
): Handlers<'palette.list'> {
  return {
    'palette.list': ({ caller: { organizationId, role }, query: { search, limit, ...query } }) => {
      const cursor = parseCursor(query.cursor)
      return database.readTenant(organizationId, (db) =>
        palettePage(db, sources, { organizationId, role, search, cursor, limit }),
      )
    },
  }
}
