import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import type { createAllObjects } from './all-objects.ts'
import type { createObjectSearch } from './search-objects.ts'
import type { ObjectService } from './object-service.ts'
import type { createRelatedService } from './relations/related-service.ts'

export function objectRoutes(
  objects: ObjectService,
  relations: ReturnType<typeof createRelatedService>,
  allObjects: ReturnType<typeof createAllObjects>,
  search: ReturnType<typeof createObjectSearch>,
): Handlers<`kubernetes.${'resources' | 'objects' | 'object' | 'objectEvents' | 'related' | 'allObjects' | 'search'}`> {
  const of = ({ organizationId, role }: TenantCaller, { id }: { id: number }) => ({
    organizationId,
    role,
    clusterId: id,
  })
  return {
    'kubernetes.resources': ({ caller, params }) => objects.resources(of(caller, params)),
    'kubernetes.objects': ({ caller, params, query }) =>
      objects.list(of(caller, params), params.resource, query),
    'kubernetes.object': ({ caller, params }) => objects.get(of(caller, params), params),
    'kubernetes.objectEvents': ({ caller, params }) => objects.events(of(caller, params), params),
    'kubernetes.allObjects': ({ caller, params, query }) => allObjects(caller, params.resource, query),
    'kubernetes.search': ({ caller, query }) => search(caller, query),
    'kubernetes.related': ({ caller, params }) => relations.related(of(caller, params), params),
  }
}
