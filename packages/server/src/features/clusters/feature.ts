import type { Feature, Parts } from '../../feature.ts'
import type { PublicAddress } from './kubeconfig/kubeconfig.ts'
import { tokenRoutes } from './kubeconfig/token-routes.ts'
import { createTokenService } from './kubeconfig/token-service.ts'
import { paletteClusters } from './palette.ts'
import { clusterRoutes } from './routes.ts'
import type { Sandboxes } from './sandboxes.ts'
import type { Clusters } from './service.ts'

export type ClustersNeeds = {
  /** Stands before the others: runs of the engine work on it (see `operations.ts`). */
  clusters: Clusters
  sandboxes: Sandboxes
  /** Where kubectl finds this server; asked when a kubeconfig is made. */
  address: () => PublicAddress
}

export function clustersFeature({ database, clock }: Parts, { clusters, sandboxes, address }: ClustersNeeds) {
  return {
    handlers: {
      ...clusterRoutes(clusters, sandboxes),
      ...tokenRoutes(createTokenService({ database, clock, address })),
    },
    expansions: { CLUSTERS_UPDATE: (organizationId) => clusters.expand(organizationId) },
    palette: { cluster: paletteClusters },
  } satisfies Feature
}
