import type { Cluster, ClusterOverview } from '@bey/contract'
import { clusterCan } from '@bey/contract'
import { Download, Trash } from 'lucide-react'
import { useCluster } from '../../data/clusters.ts'
import { useClusterOverview } from '../../data/kubernetes.ts'
import { useFollow } from '../../data/live.ts'
import { CapacityLayers } from '../../entities/clusters/capacity-layers.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatDuration, formatNumber } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { LayerLegend } from '../../ui/layer-meter.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { ActionButton } from '../../entities/clusters/action-button.tsx'
import { ClusterStatus } from '../../entities/clusters/cluster-status.tsx'
import { clusterHref, isImported, providerLabels } from '../../entities/clusters/cluster-text.ts'
import { likelyCause } from './likely-cause.ts'
import { useClusterActions } from '../../entities/clusters/use-cluster-actions.ts'

export interface ClusterPanelProps {
  id: number
  isOpen: boolean
  onClose: () => void
  onDelete: (cluster: Cluster) => void
}

/** A cluster beside the list: what it is, what it holds, and what can be done with it. */
export function ClusterPanel({ id, isOpen, onClose, onDelete }: ClusterPanelProps) {
  const query = useCluster(id)
  const cluster = query.data
  const failure = failureOf('Failed to fetch cluster', query)
  return (
    <Drawer
      open={isOpen}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={cluster?.title ?? 'Cluster'}
      description="Kubernetes Cluster"
      aside={cluster ? <ClusterStatus cluster={cluster} variant="badge" /> : undefined}
      footer={cluster ? <PanelActions cluster={cluster} onDelete={() => onDelete(cluster)} /> : undefined}
    >
      {cluster ? <PanelBody cluster={cluster} /> : null}
      {failure && <ErrorState {...failure} isCompact />}
      {cluster || failure ? null : <PanelSkeleton />}
    </Drawer>
  )
}

function PanelBody({ cluster }: { cluster: Cluster }) {
  const isRunning = cluster.status === 'RUNNING'
  useFollow(isRunning ? { kind: 'cluster_resources', clusterId: cluster.id } : undefined)
  const overview = useClusterOverview(cluster.id, isRunning)
  return (
    <div className="flex flex-col gap-6">
      {cluster.error ? (
        <Notice tone="danger" title="The last operation failed">
          {cluster.error} {likelyCause(cluster.error)}
        </Notice>
      ) : null}
      <Section title="Cluster information">
        <Facts
          facts={[
            { label: 'Provider', value: <Badge>{providerLabels[cluster.provider]}</Badge> },
            { label: 'Version', value: cluster.version },
            { label: 'Nodes', value: formatNumber(cluster.metadata.nodeCount) },
            { label: 'Created', value: <RelativeTime at={cluster.createdAt} /> },
            { label: 'Region', value: cluster.region },
          ]}
        />
      </Section>
      <PanelFigures cluster={cluster} overview={overview} />
    </div>
  )
}

function PanelFigures({
  cluster,
  overview,
}: {
  cluster: Cluster
  overview: ReturnType<typeof useClusterOverview>
}) {
  const reason = clusterCan.connect(cluster)
  if (reason) {
    return (
      <Section title="Resources">
        <p className="text-text-2">Not read: {reason}</p>
      </Section>
    )
  }
  if (overview.data) {
    return (
      <>
        <Section title="Resources" aside={<LayerLegend />}>
          <CapacityLayers capacity={overview.data.capacity} />
        </Section>
        <QuickStats cluster={cluster} overview={overview.data} />
      </>
    )
  }
  const failure = failureOf('Failed to read the cluster', overview)
  return failure ? <ErrorState {...failure} isCompact /> : <PanelSkeleton />
}

function QuickStats({ cluster, overview }: { cluster: Cluster; overview: ClusterOverview }) {
  const { state, since } = cluster.reachability
  const now = useNow(true)
  const upMs = state === 'reachable' && since ? now - Date.parse(since) : undefined
  return (
    <Section title="Quick stats">
      <Facts
        facts={[
          { label: 'Workloads', value: formatNumber(overview.workloads) },
          { label: 'Services', value: formatNumber(overview.services) },
          { label: 'Pods', value: formatNumber(overview.pods.total) },
          { label: 'Uptime', value: formatDuration(upMs) },
        ]}
      />
    </Section>
  )
}

function PanelActions({ cluster, onDelete }: { cluster: Cluster; onDelete: () => void }) {
  const { kubeconfig, deleteReason } = useClusterActions(cluster)
  return (
    <div className="flex w-full flex-wrap gap-2">
      <ButtonLink variant="primary" href={clusterHref(cluster.id)}>
        View cluster details
      </ButtonLink>
      <ActionButton action={kubeconfig} icon={<Download size={14} aria-hidden />}>
        Download kubeconfig
      </ActionButton>
      <Button icon={<Trash size={14} aria-hidden />} onClick={onDelete} disabledReason={deleteReason}>
        {isImported(cluster) ? 'Disconnect cluster' : 'Delete cluster'}
      </Button>
    </div>
  )
}

function PanelSkeleton() {
  return (
    <DelayedSkeleton>
      <span className="flex flex-col gap-4 pt-1">
        {['w-2/5', 'w-full', 'w-full', 'w-2/5', 'w-full', 'w-full'].map((width, index) => (
          <Skeleton key={index} className={width} />
        ))}
      </span>
    </DelayedSkeleton>
  )
}
