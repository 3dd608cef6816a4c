import type { Feature, Parts } from '../../feature.ts'
import { createCertificateReader } from './certificates.ts'
import { objectsReader } from './cluster-objects.ts'
import { createHostTests } from './host-test/host-test-service.ts'
import { createIngressOverview } from './overview.ts'
import type { IngressParts } from './parts.ts'
import { ingressRelations, ingressResources } from './resources.ts'
import { ingressRoutes } from './routes.ts'
import { type NoticeProblem, watchProblems } from './watch/watch-problems.ts'
import type { Kubernetes } from '../kubernetes/feature.ts'

/** Hosts, certificates and load balancers of all clusters. */
export function ingressFeature(
  { database, clock, log, outbound, publish }: Parts,
  needs: Pick<IngressParts, 'clusters' | 'cache' | 'readEachCluster'> &
    Pick<Kubernetes, 'attendObserved'> & { notice: NoticeProblem },
) {
  const parts = { database, clock, log, outbound, ...needs }
  const readObjects = objectsReader(parts, createCertificateReader(parts))
  needs.attendObserved((cluster) => watchProblems(cluster, { ...parts, publish, readObjects }))
  const overview = createIngressOverview(parts, readObjects)
  return {
    handlers: ingressRoutes(overview, createHostTests(parts, readObjects)),
    inventory: [ingressResources({ ...parts, readObjects })],
    relations: [ingressRelations({ ...parts, readObjects })],
  } satisfies Feature
}
