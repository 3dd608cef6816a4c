import type { Database } from '../../platform/db/database.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { listMembers } from './store.ts'

export function memberRoutes(database: Pick<Database, 'readTenant'>): Handlers<'members.list'> {
  return {
    'members.list': async ({ caller: { organizationId }, query }) => {
      const { rows, ...total } = await database.readTenant(organizationId, (db) =>
        listMembers(db, organizationId, query),
      )
      const members = rows.map((row) => ({
        ...row,
        joinedAt: row.joinedAt.toISOString(),
        lastSeenAt: row.lastSeenAt === null ? null : new Date(row.lastSeenAt).toISOString(),
      }))
      return { members, ...total, page: query.page, limit: query.limit }
    },
  }
}
