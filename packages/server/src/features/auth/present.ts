import type { Organization, User } from '@bey/contract'
import { currentImpersonator } from '../../platform/audit/impersonation.ts'
import type { UserRow } from './store.ts'

/**
 * The active organization is one of the user's own: the chosen one, else the first. `developerEmail` stays on the
 * server: a user sees only whether it is their own.
 */
export function presentUser(
  row: UserRow,
  organizations: Organization[],
  developerEmail: string | undefined,
): User {
  const chosen = organizations.find(({ id }) => id === row.activeOrganizationId) ?? organizations[0]
  const activeId = chosen?.id ?? null
  const impersonator = currentImpersonator()
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    organizations,
    active_organization_id: activeId,
    activeOrganizationId: activeId,
    ...(row.email === developerEmail ? { isDeveloper: true } : {}),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    ...(impersonator && { impersonator }),
  }
}
