import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import { whoIs } from '../who.ts'
import type { Author } from './record-change.ts'
import type { Authoring } from './service.ts'

type Verb = 'create' | 'update' | 'delete' | 'setState' | 'versions' | 'version' | 'validate'

export function authoringRoutes(authoring: Authoring): Handlers<`workflows.${Verb}`> {
  return {
    'workflows.create': ({ caller, body }) => authoring.create(body, author(caller)),
    'workflows.update': ({ caller, params, body }) => authoring.update(params.id, body, author(caller)),
    'workflows.delete': ({ caller, params }) => authoring.remove(params.id, author(caller)),
    'workflows.setState': ({ caller, params, body }) => authoring.setState(params.id, body, author(caller)),
    'workflows.versions': ({ caller, params, query }) =>
      authoring.versions(params.id, query, caller.organizationId),
    'workflows.version': ({ caller, params }) =>
      authoring.version(params.id, params.version, caller.organizationId),
    'workflows.validate': ({ caller, body }) => authoring.validate(body.definition, caller.organizationId),
  }
}

function author(caller: TenantCaller): Author {
  return { ...whoIs(caller), organizationId: caller.organizationId }
}
