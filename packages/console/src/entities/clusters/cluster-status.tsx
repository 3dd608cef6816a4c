import type { Cluster } from '@bey/contract'
import { clusterLabel } from '@bey/contract'
import { Status } from '../../ui/status.tsx'

/** The status of a cluster, and beside it that its API does not answer, which is a fact of its own. */
export function ClusterStatus({
  cluster,
  variant = 'plain',
}: {
  cluster: Cluster
  variant?: 'plain' | 'badge'
}) {
  const { state, reason } = cluster.reachability
  return (
    <span className="inline-flex items-center gap-2">
      <Status status={clusterLabel(cluster.status)} variant={variant} />
      {state === 'unreachable' && cluster.status === 'RUNNING' ? (
        <span data-tooltip={reason ?? undefined}>
          <Status status="unreachable" variant={variant} />
        </span>
      ) : null}
    </span>
  )
}
