import type { Handlers } from '../../../platform/http/handlers.ts'
import type { Authoring } from './service.ts'

type Verb = 'create' | 'update' | 'delete' | 'restore' | 'setState' | 'versions' | 'version' | 'validate'

export function authoringRoutes(authoring: Authoring): Handlers<`workflows.${Verb}`> {
  return {
    'workflows.create': ({ caller, body }) => authoring.create(body, caller),
    'workflows.update': ({ caller, params, body }) => authoring.update(params.id, body, caller),
    'workflows.delete': ({ caller, params, query }) =>
      authoring.remove(params.id, query.permanent === 'true', caller),
    'workflows.restore': ({ caller, params }) => authoring.restore(params.id, caller),
    'workflows.setState': ({ caller, params, body }) => authoring.setState(params.id, body, caller),
    'workflows.versions': ({ caller, params, query }) =>
      authoring.versions(params.id, query, caller.organizationId),
    'workflows.version': ({ caller, params }) =>
      authoring.version(params.id, params.version, caller.organizationId),
    'workflows.validate': ({ caller, body }) => authoring.validate(body.definition, caller.organizationId),
  }
}
