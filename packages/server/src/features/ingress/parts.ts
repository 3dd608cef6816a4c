import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { Kubernetes } from '../kubernetes/feature.ts'
import type { ClusterDoor, ClusterSummaries, ClusterSummary } from '../kubernetes/connection/ports.ts'

/** What the functions of this feature work with. */
export type IngressParts = {
  database: Database
  clusters: ClusterDoor & Pick<ClusterSummaries, 'getRunning'>
  cache: Pick<Kubernetes['cache'], 'read' | 'readRows' | 'watchRows' | 'whileAnswering'>
  readEachCluster: Kubernetes['readEachCluster']
  outbound: Outbound
  clock: Clock
  log: Log
}

export type Cluster = Pick<ClusterSummary, 'id' | 'organizationId' | 'title'>
