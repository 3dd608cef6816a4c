import type { Cluster, ClusterOverview } from '@bey/contract'
import { useDeleteCluster, useKubeconfigTokens } from '../../data/clusters.ts'
import { useClusterOverview } from '../../data/kubernetes.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export interface DeleteClusterDialogProps {
  cluster: Cluster
  onClose: () => void
}

/** Asks for the cluster's name after listing what goes with it, counted where it can be counted. */
export function DeleteClusterDialog({ cluster, onClose }: DeleteClusterDialogProps) {
  const remove = useDeleteCluster()
  const overview = useClusterOverview(cluster.id, cluster.status === 'RUNNING')
  const tokens = useKubeconfigTokens(cluster.id, 1)
  const failure = remove.error ? errorText('Failed to delete cluster', remove.error) : undefined
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to delete this cluster?"
      name={cluster.title}
      impact={deletionImpact(cluster, overview.data, tokens.data?.total)}
      action="Delete cluster"
      mustTypeName
      busy={remove.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() => remove.mutate(cluster.id, { onSuccess: onClose })}
    />
  )
}

/** What a deletion takes along. What could not be counted is named without a figure. */
export function deletionImpact(
  cluster: Cluster,
  overview: ClusterOverview | undefined,
  liveTokens: number | undefined,
): string[] {
  const lines = [formatCount(overview?.nodes.total ?? cluster.metadata.nodeCount, 'node')]
  if (overview) {
    lines.push(formatCount(overview.pods.total, 'pod'), formatCount(overview.workloads, 'workload'))
    lines.push(formatCount(overview.services, 'service'))
  } else if (cluster.status === 'RUNNING') lines.push('Its workloads, pods and services')
  if (liveTokens) lines.push(`${formatCount(liveTokens, 'kubeconfig token')}, which end at once`)
  return lines
}
