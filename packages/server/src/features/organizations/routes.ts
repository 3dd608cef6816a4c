import type { Handlers } from '../../platform/http/handlers.ts'
import type { createDeletion } from './deletion.ts'
import type { OrganizationService } from './service.ts'
import type { createOrganizationSettings } from './settings.ts'

export type OrganizationRouteNames =
  | 'organizations.list'
  | 'organizations.create'
  | 'organizations.activate'
  | 'organization.get'
  | 'organization.update'
  | 'organization.impact'
  | 'organization.delete'
  | 'organization.restore'

export function organizationRoutes(
  organizations: OrganizationService,
  settings: ReturnType<typeof createOrganizationSettings>,
  deletion: ReturnType<typeof createDeletion>,
): Handlers<OrganizationRouteNames> {
  return {
    'organizations.list': async ({ query, caller }) => ({
      ...(await organizations.list(caller.user.id, query)),
      page: query.page,
      limit: query.limit,
    }),
    'organizations.create': ({ body, caller }) => organizations.create(body, caller),
    'organizations.activate': ({ params, caller }) => organizations.activate(params.id, caller),
    'organization.get': ({ caller }) => settings.get(caller),
    'organization.update': ({ caller, body }) => settings.update(caller, body),
    'organization.impact': ({ caller }) => deletion.impact(caller),
    'organization.delete': ({ caller }) => deletion.request(caller),
    'organization.restore': ({ caller }) => deletion.undo(caller),
  }
}
