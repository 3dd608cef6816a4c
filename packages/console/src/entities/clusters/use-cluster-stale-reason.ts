import { silenceOf } from '../../data/cluster-silence.ts'
import { useCluster } from '../../data/clusters.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { silentClusterReason } from './silence-text.ts'

/** Why what acts on a cluster must wait: the server is away, or the cluster does not answer. Undefined while it need not. */
export function useClusterStaleReason(clusterId: number): string | undefined {
  const stale = useStaleReason()
  const { data: cluster } = useCluster(clusterId)
  const silence = cluster && silenceOf(cluster)
  return stale ?? (silence && silentClusterReason(cluster.title, silence))
}
