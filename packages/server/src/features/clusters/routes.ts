import type { Handlers } from '../../platform/http/handlers.ts'
import { limitNow } from '../../platform/keys/key-rights.ts'
import type { Sandboxes } from './sandboxes.ts'
import type { Clusters } from './service.ts'

export function clusterRoutes(
  clusters: Clusters,
  sandboxes: Sandboxes,
  openStreams: (clusterId: number) => number,
): Handlers<
  | 'clusters.list'
  | 'clusters.get'
  | 'clusters.providers'
  | 'clusters.create'
  | 'clusters.update'
  | 'clusters.delete'
  | 'clusters.startDeletion'
  | 'clusters.provision'
  | 'clusters.status'
  | 'clusters.references'
  | 'sandboxes.list'
  | 'sandboxes.faults'
  | 'sandboxes.applyFault'
  | 'sandboxes.endFault'
> {
  return {
    'clusters.list': ({ caller, query }) =>
      clusters.list(caller.organizationId, { ...query, ids: limitNow('cluster') }),
    'clusters.get': ({ caller, params }) => clusters.get(caller.organizationId, params.id),
    'clusters.providers': async () => ({ providers: await clusters.providers() }),
    'clusters.create': ({ caller, body }) => clusters.create(caller.organizationId, body, caller),
    'clusters.update': ({ caller, params, body }) =>
      clusters.change(caller.organizationId, params.id, body, caller),
    'clusters.delete': ({ caller, params }) => clusters.remove(caller.organizationId, params.id, caller),
    'clusters.startDeletion': ({ caller, params }) =>
      clusters.remove(caller.organizationId, params.id, caller),
    'clusters.provision': ({ caller, params, query }) =>
      clusters.provision(caller.organizationId, params.id, caller, query.mode),
    'clusters.status': ({ caller, params }) => clusters.status(caller.organizationId, params.id),
    'clusters.references': async ({ caller, params }) => ({
      ...(await clusters.references(caller.organizationId, params.id)),
      openStreams: openStreams(params.id),
    }),
    'sandboxes.list': ({ caller }) => sandboxes.list(caller.organizationId),
    'sandboxes.faults': ({ caller, params }) => sandboxes.faults(caller.organizationId, params.id),
    'sandboxes.applyFault': ({ caller, params }) =>
      sandboxes.change(caller.organizationId, params.id, params.faultId, 'apply', caller),
    'sandboxes.endFault': ({ caller, params }) =>
      sandboxes.change(caller.organizationId, params.id, params.faultId, 'end', caller),
  }
}
