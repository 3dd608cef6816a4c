import type { Cluster } from '@bey/contract'
import { Download, Eye, Trash } from 'lucide-react'
import { useCluster } from '../../data/clusters.ts'
import { ActionButton } from '../../entities/clusters/action-button.tsx'
import { DeleteClusterDialog } from '../../entities/clusters/delete-cluster-dialog.tsx'
import { ClusterStatus } from '../../entities/clusters/cluster-status.tsx'
import { providerLabels } from '../../entities/clusters/cluster-text.ts'
import { useClusterActions } from '../../entities/clusters/use-cluster-actions.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { PaletteItems } from './item.ts'
import type { ActionsProps } from './kinds.tsx'
import { PreviewSkeleton } from './preview-skeleton.tsx'

type Item = PaletteItems['cluster']

export function ClusterDetails({ item }: { item: Item }) {
  const query = useCluster(Number(item.entity.id))
  if (query.data) return <Details cluster={query.data} />
  const failure = failureOf('Failed to fetch cluster', query)
  return failure ? <ErrorState {...failure} isCompact /> : <PreviewSkeleton />
}

function Details({ cluster }: { cluster: Cluster }) {
  const nodes = cluster.nodeGroups.reduce((sum, group) => sum + group.count, 0)
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
          { label: 'Created', value: <RelativeTime at={cluster.createdAt} /> },
        ]}
      />
    </>
  )
}

export function ClusterActions(props: ActionsProps<Item>) {
  const { data: cluster } = useCluster(Number(props.item.entity.id))
  return (
    <>
      <Button variant="primary" icon={<Eye size={14} aria-hidden />} onClick={props.onChoose}>
        View Cluster Details
      </Button>
      {cluster ? <LoadedActions cluster={cluster} onAsk={props.onAsk} /> : null}
    </>
  )
}

function LoadedActions({ cluster, onAsk }: { cluster: Cluster; onAsk: ActionsProps<Item>['onAsk'] }) {
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
        Delete Cluster
      </Button>
    </>
  )
}
