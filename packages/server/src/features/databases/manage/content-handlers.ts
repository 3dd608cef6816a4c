import type { Handlers } from '../../../platform/http/handlers.ts'
import { findRow } from '../insight/insight-parts.ts'
import { dropExtension, installExtension, listExtensions } from './extensions.ts'
import { type ManageParts, withAdmin } from './open-admin.ts'
import { recordedAct } from './recorded-act.ts'
import { readRights } from './role-list.ts'
import { createServerDatabase, dropServerDatabase, listServerDatabases } from './server-databases.ts'

type Names =
  | `databases.serverDatabases.${'list' | 'create' | 'drop'}`
  | `databases.extensions.${'list' | 'install' | 'drop'}`

/** What is in the server of a database beside its tables: other databases, and extensions. */
export function contentHandlers(parts: ManageParts): Handlers<Names> {
  return {
    'databases.serverDatabases.list': async ({ caller, params }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      return withAdmin(parts, row, async (admin) => ({
        databases: await listServerDatabases(admin),
        refusal: (await readRights(admin)).databaseRefusal,
      }))
    },

    'databases.serverDatabases.create': async ({ caller, params, body: { name } }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      const what = { action: 'database.server_database.create', diff: { database: name } }
      await recordedAct(parts, caller, row, what, () =>
        withAdmin(parts, row, (admin) => createServerDatabase(admin, row, name)),
      )
      return { message: `The database "${name}" was made.` }
    },

    'databases.serverDatabases.drop': async ({ caller, params, body: { name } }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      const what = { action: 'database.server_database.drop', diff: { database: name } }
      await recordedAct(parts, caller, row, what, () =>
        withAdmin(parts, row, (admin) => dropServerDatabase(admin, row, name)),
      )
      return { message: `The database "${name}" was dropped.` }
    },

    'databases.extensions.list': async ({ caller, params }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      return { extensions: await withAdmin(parts, row, (admin) => listExtensions(admin, row)) }
    },

    'databases.extensions.install': async ({ caller, params, body: { name } }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      const what = { action: 'database.extension.install', diff: { extension: name } }
      const message = await recordedAct(parts, caller, row, what, () =>
        withAdmin(parts, row, (admin) => installExtension(admin, row, name)),
      )
      return { message }
    },

    'databases.extensions.drop': async ({ caller, params, body }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      const { name: extension, withDependents } = body
      const what = { action: 'database.extension.drop', diff: { extension, withDependents } }
      await recordedAct(parts, caller, row, what, () =>
        withAdmin(parts, row, (admin) => dropExtension(admin, row, body)),
      )
      return { message: `"${extension}" was removed.` }
    },
  }
}
