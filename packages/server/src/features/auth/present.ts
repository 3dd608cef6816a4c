import type { Organization, User } from '@bey/contract'
import type { UserRow } from './store.ts'

/** The active organization is one of the user's own: the chosen one, else the first. */
export function presentUser(row: UserRow, organizations: Organization[]): User {
  const chosen = organizations.find(({ id }) => id === row.activeOrganizationId) ?? organizations[0]
  const activeId = chosen?.id ?? null
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    organizations,
    active_organization_id: activeId,
    activeOrganizationId: activeId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
