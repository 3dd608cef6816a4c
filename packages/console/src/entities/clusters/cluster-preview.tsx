import type { Cluster } from '@bey/contract'
import { clusterCan } from '@bey/contract'
import { Download, Eye, Trash } from 'lucide-react'
import { useCluster } from '../../data/clusters.ts'
import { useClusterOverview } from '../../data/kubernetes.ts'
import { ActionButton } from './action-button.tsx'
import { CapacityLayers } from './capacity-layers.tsx'
import { DeleteClusterDialog } from './delete-cluster-dialog.tsx'
import { ClusterStatus } from './cluster-status.tsx'
import { isImported, providerLabels } from './cluster-text.ts'
import { useClusterActions } from './use-cluster-actions.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { PreviewSkeleton } from '../../ui/preview-skeleton.tsx'
import type { PreviewActionsProps, PreviewProps } from '../preview.ts'

export function ClusterDetails({ id }: PreviewProps) {
  const query = useCluster(Number(id))
  if (query.data) return <Details cluster={query.data} />
  const failure = failureOf('Failed to fetch cluster', query)
  return failure ? <ErrorState {...failure} isCompact /> : <PreviewSkeleton />
}

function Details({ cluster }: { cluster: Cluster }) {
  const isRunning = clusterCan.connect(cluster) === undefined
  const { data: overview, isError } = useClusterOverview(Number(cluster.id), isRunning)
  const nodes = overview?.nodes.total ?? cluster.metadata.nodeCount
  return (
    <>
      <ClusterStatus cluster={cluster} variant="badge" />
      {cluster.error ? (
        <Notice tone="danger" title="The last operation failed">
          {cluster.error}
        </Notice>
      ) : null}
      <Facts
        facts={[
          { label: 'Provider', value: <Badge>{providerLabels[cluster.provider]}</Badge> },
          { label: 'Version', value: cluster.version },
          { label: 'Nodes', value: formatNumber(nodes) },
          ...cluster.nodeGroups.map(({ name, count }) => ({
            label: `Group ${name}`,
            value: formatCount(count, 'node'),
          })),
          { label: 'Region', value: cluster.region },
          ...(overview
            ? [
                { label: 'Workloads', value: formatNumber(overview.workloads) },
                { label: 'Services', value: formatNumber(overview.services) },
                { label: 'Pods', value: formatNumber(overview.pods.total) },
              ]
            : []),
          { label: 'Created', value: <RelativeTime at={cluster.createdAt} /> },
        ]}
      />
      {overview ? <CapacityLayers capacity={overview.capacity} /> : null}
      {isError && !overview ? (
        <p className="text-text-2">
          Its figures are missing: {cluster.reachability.reason ?? 'it does not answer.'}
        </p>
      ) : null}
    </>
  )
}

export function ClusterActions(props: PreviewActionsProps) {
  const { data: cluster } = useCluster(Number(props.id))
  return (
    <>
      <Button variant="primary" icon={<Eye size={14} aria-hidden />} onClick={props.onChoose}>
        View Cluster Details
      </Button>
      {cluster ? <LoadedActions cluster={cluster} onAsk={props.onAsk} /> : null}
    </>
  )
}

function LoadedActions({ cluster, onAsk }: { cluster: Cluster; onAsk: PreviewActionsProps['onAsk'] }) {
  const { kubeconfig, deleteReason } = useClusterActions(cluster)
  return (
    <>
      <ActionButton action={kubeconfig} icon={<Download size={14} aria-hidden />}>
        Download Kubeconfig
      </ActionButton>
      <Button
        icon={<Trash size={14} aria-hidden />}
        onClick={() => onAsk((close) => <DeleteClusterDialog cluster={cluster} onClose={close} />)}
        disabledReason={deleteReason}
      >
        {isImported(cluster) ? 'Disconnect Cluster' : 'Delete Cluster'}
      </Button>
    </>
  )
}
