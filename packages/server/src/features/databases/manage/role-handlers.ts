import { findRow } from '../insight/insight-parts.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { type ManageParts, withAdmin } from './open-admin.ts'
import { recordedAct } from './recorded-act.ts'
import { createRole, dropRole, grantAccess } from './role-acts.ts'
import { listRoles, readRights } from './role-list.ts'

type Names = `databases.roles.${'list' | 'create' | 'grant' | 'drop'}`

/** Users of a server, and what they may do in a database. */
export function roleHandlers(parts: ManageParts & { newPassword: () => string }): Handlers<Names> {
  return {
    'databases.roles.list': async ({ caller, params }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      return withAdmin(parts, row, async (admin) => ({
        roles: await listRoles(admin, row),
        refusal: (await readRights(admin)).roleRefusal,
      }))
    },

    'databases.roles.create': async ({ caller, params, body }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      const password = parts.newPassword()
      const what = { action: 'database.role.create', diff: { user: body.name, access: body.access } }
      const role = await recordedAct(parts, caller, row, what, () =>
        withAdmin(parts, row, (admin) => createRole(admin, row, body, password)),
      )
      return { role, password }
    },

    'databases.roles.grant': async ({ caller, params, body }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      const what = { action: 'database.role.grant', diff: { user: body.name, access: body.access } }
      return recordedAct(parts, caller, row, what, () =>
        withAdmin(parts, row, (admin) => grantAccess(admin, row, body)),
      )
    },

    'databases.roles.drop': async ({ caller, params, body: { name } }) => {
      const row = await findRow(parts, caller.organizationId, params.id)
      await recordedAct(parts, caller, row, { action: 'database.role.drop', diff: { user: name } }, () =>
        withAdmin(parts, row, (admin) => dropRole(admin, row, name)),
      )
      return { message: `The user "${name}" was removed.` }
    },
  }
}
