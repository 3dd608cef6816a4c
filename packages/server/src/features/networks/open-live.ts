import { type Cluster, openCluster } from '../../platform/clusters/open-cluster.ts'
import type { NetworkParts } from './parts.ts'

/**
 * A cluster to speak to, in Bey's own name. A request ends as soon as the cluster is known not to answer, instead of after
 * its own time-out of 15 s. Throws ClusterFailure.
 */
export async function openLive(
  { clusters, cache }: Pick<NetworkParts, 'clusters' | 'cache'>,
  organizationId: number,
  clusterId: number,
): Promise<Cluster> {
  const title = (await clusters.find(organizationId, clusterId))?.title ?? String(clusterId)
  const door: typeof clusters = {
    ...clusters,
    send: (connection, request) =>
      cache.whileAnswering({ id: clusterId, organizationId, title }, () =>
        clusters.send(connection, request),
      ),
  }
  return openCluster(door, organizationId, clusterId)
}
