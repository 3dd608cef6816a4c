import type { Database } from '../../platform/db/database.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { present } from './present.ts'
import { readSettings, writeSettings } from './store.ts'

type SettingsRouteNames = 'settings.get' | 'settings.updateTheme' | 'settings.updateTime'

/**
 * The settings of users. Changes are not audited: they belong to no organization and are visible to their user only,
 * and trying out themes would fill the trail.
 */
export function settingsRoutes(database: Pick<Database, 'withUser'>): Handlers<SettingsRouteNames> {
  return {
    'settings.get': ({ caller }) =>
      database.withUser(caller.user.id, async (db) => present(await readSettings(db, caller.user.id))),
    'settings.updateTheme': ({ body: { theme }, caller }) =>
      database.withUser(caller.user.id, async (db) =>
        present(await writeSettings(db, caller.user.id, { theme })),
      ),
    'settings.updateTime': ({ body: { time }, caller }) =>
      database.withUser(caller.user.id, async (db) =>
        present(await writeSettings(db, caller.user.id, { time })),
      ),
  }
}
