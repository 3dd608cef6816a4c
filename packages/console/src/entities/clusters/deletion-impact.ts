import type { CallOutput, Cluster, ClusterOverview } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'

/** What goes from Bey, and what stays in a cluster that goes on without it. */
export function disconnectImpact(
  { title }: Cluster,
  references: CallOutput<'clusters.references'> | undefined,
): string[] {
  return [
    'Its stored credentials',
    ...(references ? referenceLines(references) : []),
    'Its watches and recorded figures',
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
    ...secrets.map(({ name }) => `The secret "${name}" stays, but the cluster no longer uses it`),
  ]
}
