import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import type { ObjectService } from './object-service.ts'

export function objectRoutes(
  objects: ObjectService,
): Handlers<`kubernetes.${'resources' | 'objects' | 'object'}`> {
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
  }
}
