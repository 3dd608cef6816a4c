import type { Handlers } from '../../platform/http/handlers.ts'
import type { createIngressOverview } from './overview.ts'
import type { createHostTests } from './host-test/host-test-service.ts'

type Names = 'hosts' | 'certificates' | 'loadBalancers' | 'gateways' | 'test'

export function ingressRoutes(
  overview: ReturnType<typeof createIngressOverview>,
  testHost: ReturnType<typeof createHostTests>,
): Handlers<`ingress.${Names}`> {
  return {
    'ingress.hosts': ({ caller, query }) => overview.hosts(caller.organizationId, query),
    'ingress.certificates': ({ caller, query }) => overview.certificates(caller.organizationId, query),
    'ingress.loadBalancers': ({ caller, query }) => overview.loadBalancers(caller.organizationId, query),
    'ingress.gateways': ({ caller, query }) => overview.gateways(caller.organizationId, query),
    'ingress.test': ({ caller, params, body }) => testHost(caller, params.id, body),
  }
}
