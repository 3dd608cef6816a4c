import type { Handlers } from '../../platform/http/handlers.ts'
import type { ErrorLog } from './service.ts'

export function errorLogRoutes(
  errorLog: ErrorLog,
): Handlers<
  | 'errors.log'
  | 'errors.list'
  | 'errors.releases'
  | 'errors.get'
  | 'errors.update'
  | 'errors.occurrences'
  | 'errors.occurrence'
> {
  return {
    'errors.log': ({ caller, body }) => errorLog.log(body.errors, caller),
    'errors.list': ({ caller, query }) => errorLog.list(caller.organizationId, query),
    'errors.releases': async ({ caller }) => ({ releases: await errorLog.releases(caller.organizationId) }),
    'errors.get': ({ caller, params, query }) => errorLog.get(caller.organizationId, params.id, query.period),
    'errors.update': ({ caller, params, body }) => errorLog.update(params.id, body.status, caller),
    'errors.occurrences': ({ caller, params, query }) =>
      errorLog.occurrences(caller.organizationId, params.id, query.before, query.limit),
    'errors.occurrence': ({ caller, params }) =>
      errorLog.occurrence(caller.organizationId, params.id, params.occurrenceId),
  }
}
