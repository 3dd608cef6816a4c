import type { Handlers } from '../../platform/http/handlers.ts'
import type { OrganizationService } from './service.ts'

export type OrganizationRouteNames = 'organizations.list' | 'organizations.create' | 'organizations.activate'

export function organizationRoutes(organizations: OrganizationService): Handlers<OrganizationRouteNames> {
  return {
    'organizations.list': async ({ query, caller }) => ({
      ...(await organizations.list(caller.user.id, query)),
      page: query.page,
      limit: query.limit,
    }),
    'organizations.create': ({ body, caller }) => organizations.create(body.name, caller),
    'organizations.activate': ({ params, caller }) => organizations.activate(params.id, caller),
  }
}
