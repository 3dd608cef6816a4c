import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import type { createAllWorkloads } from './all-workloads.ts'
import type { createCacheFigures } from './cache-figures.ts'
import type { ReadService } from './read-service.ts'

export function readRoutes(
  reads: ReadService,
  allWorkloads: ReturnType<typeof createAllWorkloads>,
  caches: ReturnType<typeof createCacheFigures>,
): Handlers<`kubernetes.${'overview' | 'nodes' | 'node' | 'namespaces' | 'pods' | 'workloads' | 'events' | 'allWorkloads' | 'caches'}`> {
  const of = (caller: TenantCaller, { id }: { id: number }) => ({
    organizationId: caller.organizationId,
    clusterId: id,
  })
  return {
    'kubernetes.overview': ({ caller, params }) => reads.overview(of(caller, params)),
    'kubernetes.nodes': ({ caller, params, query }) => reads.nodes(of(caller, params), query),
    'kubernetes.node': ({ caller, params }) => reads.node(of(caller, params), params.name),
    'kubernetes.namespaces': ({ caller, params, query }) => reads.namespaces(of(caller, params), query),
    'kubernetes.pods': ({ caller, params, query }) => reads.pods(of(caller, params), query),
    'kubernetes.workloads': ({ caller, params, query }) => reads.workloads(of(caller, params), query),
    'kubernetes.allWorkloads': ({ caller, query }) => allWorkloads(caller.organizationId, query),
    'kubernetes.caches': ({ caller }) => caches(caller.organizationId),
    'kubernetes.events': ({ caller, params, query }) => reads.events(of(caller, params), query),
  }
}
