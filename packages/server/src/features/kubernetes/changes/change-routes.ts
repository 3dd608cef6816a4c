import type { Handlers, TenantCaller } from '../../../platform/http/handlers.ts'
import type { ChangeService } from './change-service.ts'

export function changeRoutes(
  service: ChangeService,
): Handlers<`kubernetes.${'history' | 'version' | 'changes'}`> {
  const of = ({ organizationId, role }: TenantCaller, { id }: { id: number }) => ({
    organizationId,
    role,
    clusterId: id,
  })
  return {
    'kubernetes.history': ({ caller, params }) => service.history(of(caller, params), params),
    'kubernetes.version': ({ caller, params }) => service.version(of(caller, params), params.versionId),
    'kubernetes.changes': ({ caller, params, query }) => service.changes(of(caller, params), query),
  }
}
