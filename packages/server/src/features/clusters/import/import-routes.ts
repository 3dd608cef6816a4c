import type { Handlers } from '../../../platform/http/handlers.ts'
import type { ConnectionService } from './connection-service.ts'
import type { Imports } from './import-service.ts'

export function importRoutes(
  imports: Imports,
  connections: ConnectionService,
): Handlers<
  | 'kubeconfig.read'
  | 'kubeconfig.test'
  | 'kubeconfig.import'
  | 'clusters.connection'
  | 'clusters.testConnection'
  | 'clusters.replaceCredentials'
  | 'clusters.chooseNamespaces'
> {
  return {
    'kubeconfig.read': ({ caller, body }) => imports.read(caller.organizationId, body.kubeconfig),
    'kubeconfig.test': ({ caller, body }) => imports.test(caller.organizationId, body, caller),
    'kubeconfig.import': ({ caller, body }) =>
      imports.import(caller.organizationId, body.kubeconfig, body.clusters, caller),
    'clusters.connection': ({ caller, params }) => connections.facts(caller.organizationId, params.id),
    'clusters.testConnection': ({ caller, params }) =>
      connections.test(caller.organizationId, params.id, caller),
    'clusters.replaceCredentials': ({ caller, params, body }) =>
      connections.replace(caller.organizationId, params.id, body, caller),
    'clusters.chooseNamespaces': ({ caller, params, body }) =>
      connections.chooseNamespaces(caller.organizationId, params.id, body.namespaces, caller),
  }
}
