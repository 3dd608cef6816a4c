import type { Database } from '../../platform/db/database.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { parseCursor } from './cursor.ts'
import { palettePage } from './store.ts'

export function paletteRoutes(database: Pick<Database, 'readTenant'>): Handlers<'palette.list'> {
  return {
    'palette.list': ({ caller, query }) => {
      const cursor = parseCursor(query.cursor)
      return database.readTenant(caller.organizationId, (db) =>
        palettePage(db, caller.organizationId, cursor, query.limit),
      )
    },
  }
}
