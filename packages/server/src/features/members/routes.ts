import type { Database } from '../../platform/db/database.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { presentMember } from './present.ts'
import type { createRemoval } from './removal.ts'
import type { createRoles } from './roles.ts'
import { countOwners, listMembers } from './store.ts'

type MemberRouteNames =
  | 'members.list'
  | 'members.setRole'
  | 'members.belongings'
  | 'members.remove'
  | 'organization.transfer'
  | 'organization.leave'

export function memberRoutes(
  database: Pick<Database, 'readTenant'>,
  roles: ReturnType<typeof createRoles>,
  removal: ReturnType<typeof createRemoval>,
): Handlers<MemberRouteNames> {
  return {
    'members.list': async ({ caller: { organizationId }, query }) => {
      const [{ rows, ...total }, ownerCount] = await database.readTenant(organizationId, (db) =>
        Promise.all([listMembers(db, organizationId, query), countOwners(db, organizationId)]),
      )
      return { members: rows.map(presentMember), ownerCount, ...total, page: query.page, limit: query.limit }
    },
    'members.setRole': ({ caller, params, body }) => roles.setRole(caller, params.id, body.role),
    'members.belongings': ({ caller, params }) => removal.belongings(caller, params.id),
    'members.remove': ({ caller, params, body }) => removal.remove(caller, params.id, body),
    'organization.transfer': ({ caller, body }) => roles.transfer(caller, body.userId),
    'organization.leave': async ({ caller }) => {
      await removal.leave(caller)
      return null
    },
  }
}
