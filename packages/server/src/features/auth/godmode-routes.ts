import type { Handlers } from '../../platform/http/handlers.ts'
import type { ImpersonationService } from './impersonation.ts'

export function godmodeRoutes(
  impersonation: ImpersonationService,
): Handlers<'godmode.users' | 'godmode.impersonate'> {
  return {
    'godmode.users': async ({ query, caller }) => ({
      ...(await impersonation.users(query, caller)),
      page: query.page,
      limit: query.limit,
    }),
    'godmode.impersonate': ({ body, caller }) => impersonation.impersonate(body.userId, caller),
  }
}
