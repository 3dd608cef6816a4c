import type { CallOutput, Cluster, ClusterOverview } from '@bey/contract'
import { useClusterReferences, useDeleteCluster } from '../../data/clusters.ts'
import { useClusterOverview } from '../../data/kubernetes.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { isImported } from './cluster-text.ts'

export interface DeleteClusterDialogProps {
  cluster: Cluster
  onClose: () => void
}

/** Asks for the cluster's name after listing what goes with it, counted where it can be counted. */
export function DeleteClusterDialog({ cluster, onClose }: DeleteClusterDialogProps) {
  const remove = useDeleteCluster()
  const overview = useClusterOverview(cluster.id, cluster.status === 'RUNNING')
  const references = useClusterReferences(cluster.id)
  const isLeft = isImported(cluster)
  const failure = remove.error
    ? errorText(isLeft ? 'Failed to disconnect cluster' : 'Failed to delete cluster', remove.error)
    : undefined
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={
        isLeft
          ? 'Are you sure you want to disconnect this cluster?'
          : 'Are you sure you want to delete this cluster?'
      }
      name={cluster.title}
      {...(isLeft
        ? {
            impactTitle: 'Nothing is changed in the cluster. Here, this goes:',
            impact: disconnectImpact(cluster, references.data),
          }
        : { impact: deletionImpact(cluster, overview.data, references.data) })}
      action={isLeft ? 'Disconnect cluster' : 'Delete cluster'}
      mustTypeName
      busy={remove.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() => remove.mutate(cluster.id, { onSuccess: onClose })}
    />
  )
}

/** What goes from Bey, and what stays in a cluster that goes on without it. */
function disconnectImpact(
  { title }: Cluster,
  references: CallOutput<'clusters.references'> | undefined,
): string[] {
  return [
    'Its credentials, which are kept sealed',
    ...(references ? referenceLines(references) : []),
    'What is watched and counted of it',
    `What stays: everything in “${title}”, and the account that Bey used there`,
  ]
}

/** What a deletion takes along. What could not be counted is named without a figure. */
export function deletionImpact(
  cluster: Cluster,
  overview: ClusterOverview | undefined,
  references: CallOutput<'clusters.references'> | undefined,
): string[] {
  const lines = [formatCount(overview?.nodes.total ?? cluster.metadata.nodeCount, 'node')]
  if (overview) {
    lines.push(formatCount(overview.pods.total, 'pod'), formatCount(overview.workloads, 'workload'))
    lines.push(formatCount(overview.services, 'service'))
  } else if (cluster.status === 'RUNNING') lines.push('Its workloads, pods and services')
  return references ? [...lines, ...referenceLines(references)] : lines
}

/** What refers to the cluster from elsewhere, and what becomes of it. */
function referenceLines(references: CallOutput<'clusters.references'>): string[] {
  const { kubeconfigTokens, kubeconfigUsers, runs, openStreams, secrets } = references
  const owners = formatCount(kubeconfigUsers, 'person', 'people')
  return [
    ...(kubeconfigTokens
      ? [`${formatCount(kubeconfigTokens, 'kubeconfig token')} of ${owners}, which end at once`]
      : []),
    ...(openStreams
      ? [
          `${formatCount(openStreams, 'open watch, log or session', 'open watches, logs and sessions')}, which end at once`,
        ]
      : []),
    ...runs.map(({ name }) => `The run "${name}" that is under way, which is cancelled`),
    ...secrets.map(({ name }) => `The secret "${name}" stays, but the cluster uses it no more`),
  ]
}
