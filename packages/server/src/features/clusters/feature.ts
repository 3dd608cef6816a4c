import type { Feature, Parts } from '../../feature.ts'
import type { WorkflowDefinition } from '../workflows/definition/definition.ts'
import type { ConnectionService } from './import/connection-service.ts'
import { importRoutes } from './import/import-routes.ts'
import type { Imports } from './import/import-service.ts'
import type { PublicAddress } from './kubeconfig/kubeconfig.ts'
import { tokenBelongings } from './kubeconfig/token-belongings.ts'
import { tokenRoutes } from './kubeconfig/token-routes.ts'
import { createTokenService } from './kubeconfig/token-service.ts'
import { paletteClusters } from './palette.ts'
import { clusterRoutes } from './routes.ts'
import type { Sandboxes } from './sandboxes.ts'
import type { Clusters } from './service.ts'
import { clusterResources } from './resources.ts'

export type ClustersNeeds = {
  /** Stands before the others: runs of the engine work on it (see `operations.ts`). */
  clusters: Clusters
  sandboxes: Sandboxes
  imports: Imports
  connections: ConnectionService
  /** Creation, deletion and import as runs. */
  clusterWorkflows: readonly WorkflowDefinition[]
  /** Where kubectl finds this server; asked when a kubeconfig is made. */
  address: () => PublicAddress
  /** How many watches, logs and sessions are open on a cluster through this process. */
  openStreams: (clusterId: number) => number
}

export function clustersFeature({ database, clock }: Parts, needs: ClustersNeeds) {
  const { clusters, sandboxes, imports, connections, clusterWorkflows, address, openStreams } = needs
  return {
    handlers: {
      ...clusterRoutes(clusters, sandboxes, openStreams),
      ...importRoutes(imports, connections),
      ...tokenRoutes(createTokenService({ database, clock, address })),
    },
    workflows: clusterWorkflows,
    expansions: { CLUSTERS_UPDATE: (organizationId) => clusters.expand(organizationId) },
    palette: { cluster: paletteClusters },
    inventory: [clusterResources(database)],
    belongings: [tokenBelongings],
  } satisfies Feature
}
