import type { Feature, Parts } from '../../feature.ts'
import { createCertificateReader } from './certificates.ts'
import { objectsReader } from './cluster-objects.ts'
import { createHostTests } from './host-test/host-test-service.ts'
import { createIngressOverview } from './overview.ts'
import type { IngressParts } from './parts.ts'
import { ingressRoutes } from './routes.ts'

/** Hosts, certificates and load balancers of all clusters. */
export function ingressFeature(
  { database, clock, log, outbound }: Parts,
  needs: Pick<IngressParts, 'clusters' | 'cache' | 'readEachCluster'>,
) {
  const parts = { database, clock, log, outbound, ...needs }
  const readObjects = objectsReader(parts, createCertificateReader(parts))
  const overview = createIngressOverview(parts, readObjects)
  return {
    handlers: ingressRoutes(overview, createHostTests(parts, readObjects)),
  } satisfies Feature
}
