import type { Cluster } from '@bey/contract'
import { needsAttention } from '@bey/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Download, RotateCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useCluster } from '../../data/clusters.ts'
import { useFollow } from '../../data/live.ts'
import { useOrganizationId } from '../../data/session.ts'
import { sinceText } from '../../entities/health/since-text.ts'
import { errorText, isNotFound } from '../../lib/error-text.ts'
import { usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ActionButton } from '../../entities/clusters/action-button.tsx'
import { AccessTab } from './access-tab.tsx'
import { clusterCommands } from './cluster-commands.ts'
import { ClusterMenu } from './cluster-menu.tsx'
import { ClusterStatus } from '../../entities/clusters/cluster-status.tsx'
import { clusterHref, providerLabels } from '../../entities/clusters/cluster-text.ts'
import { FaultsTab } from './faults-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import { NodesTab } from './nodes-tab.tsx'
import { OverviewSkeleton, OverviewTab } from './overview-tab.tsx'
import { PodsTab } from './pods-tab.tsx'
import { RunsTab } from './runs-tab.tsx'
import { useClusterActions } from '../../entities/clusters/use-cluster-actions.ts'
import { WorkloadsTab } from './workloads-tab.tsx'

const DeleteClusterDialog = lazyPart(async () => ({
  default: (await import('../../entities/clusters/delete-cluster-dialog.tsx')).DeleteClusterDialog,
}))

interface Tab {
  id: string
  label: string
  content: (cluster: Cluster) => ReactNode
}

const tabs: readonly Tab[] = [
  { id: 'overview', label: 'Overview', content: (cluster) => <OverviewTab cluster={cluster} /> },
  { id: 'nodes', label: 'Nodes', content: (cluster) => <NodesTab cluster={cluster} /> },
  { id: 'workloads', label: 'Workloads', content: (cluster) => <WorkloadsTab cluster={cluster} /> },
  { id: 'pods', label: 'Pods', content: (cluster) => <PodsTab cluster={cluster} /> },
  { id: 'events', label: 'Events', content: (cluster) => <EventsTab cluster={cluster} /> },
  { id: 'runs', label: 'Runs', content: (cluster) => <RunsTab cluster={cluster} /> },
  { id: 'access', label: 'Access', content: (cluster) => <AccessTab cluster={cluster} /> },
  { id: 'faults', label: 'Faults', content: (cluster) => <FaultsTab cluster={cluster} /> },
]

/** One cluster, with its tabs. */
export function ClusterDetailPage() {
  const params: { id?: string; tab?: string } = useParams({ strict: false })
  const id = numericId(params.id)
  const { data: cluster, error, refetch, isFetching } = useCluster(id)
  usePageTitle(cluster?.title)
  const organizationId = useOrganizationId()
  usePageCommands(cluster ? clusterCommands(cluster, params.tab ?? 'overview', organizationId) : [])
  useFollow(id === undefined ? undefined : { kind: 'cluster', clusterId: id })
  useFollow(cluster?.status === 'RUNNING' ? { kind: 'cluster_resources', clusterId: cluster.id } : undefined)

  if (id === undefined || (!cluster && isNotFound(error))) return <NoSuchCluster id={params.id} />
  if (!cluster && error) {
    return (
      <ErrorState
        {...errorText('Failed to fetch cluster', error)}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    )
  }
  const tab = tabs.find((each) => each.id === (params.tab ?? 'overview'))
  return (
    <>
      <ClusterHeader id={id} cluster={cluster} tab={tab?.id} />
      {cluster && tab ? tab.content(cluster) : null}
      {!cluster && tab?.id === 'overview' ? <OverviewSkeleton /> : null}
      {tab ? null : (
        <EmptyState
          title="There is no such tab"
          description={`A cluster has ${tabs.map((each) => each.label.toLowerCase()).join(', ')}.`}
          action={<ButtonLink href={clusterHref(id)}>Open the overview</ButtonLink>}
        />
      )}
    </>
  )
}

function ClusterHeader({
  id,
  cluster,
  tab,
}: {
  id: number
  cluster: Cluster | undefined
  tab: string | undefined
}) {
  return (
    <PageHeader
      title={cluster?.title}
      aside={
        cluster ? (
          <>
            <ClusterStatus cluster={cluster} variant="badge" />
            <Badge>{providerLabels[cluster.provider]}</Badge>
          </>
        ) : null
      }
      description={cluster ? describe(cluster) : ' '}
      actions={cluster ? <HeaderActions cluster={cluster} /> : null}
    >
      <Tabs
        label="Parts of the cluster"
        tabs={tabs.map((each) => ({
          href: each.id === 'overview' ? clusterHref(id) : clusterHref(id, each.id),
          label: each.label,
          isCurrent: each.id === tab,
        }))}
      />
    </PageHeader>
  )
}

/** "Failing since 12:04 · local · Kubernetes v1.33.4". */
function describe({ status, health, region, version }: Cluster): string {
  const hasTrouble = status === 'RUNNING' && needsAttention(health) && health.since !== null
  const word = health.state.charAt(0).toUpperCase() + health.state.slice(1)
  const since = hasTrouble ? [`${word} since ${sinceText(health.since ?? '')}`] : []
  return [...since, region, `Kubernetes ${version}`].join(' · ')
}

function HeaderActions({ cluster }: { cluster: Cluster }) {
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const { kubeconfig, provision } = useClusterActions(cluster)
  const hasFailed = cluster.status === 'ERROR' || cluster.status === 'PENDING'
  return (
    <>
      {hasFailed ? (
        <ActionButton action={provision} variant="primary" icon={<RotateCw size={14} aria-hidden />}>
          Provision again
        </ActionButton>
      ) : (
        <ActionButton action={kubeconfig} icon={<Download size={14} aria-hidden />}>
          Download kubeconfig
        </ActionButton>
      )}
      <ClusterMenu cluster={cluster} onDelete={() => setDeleting(true)} />
      <Suspense fallback={null}>
        {isDeleting ? (
          <DeleteClusterDialog
            cluster={cluster}
            onClose={() => {
              setDeleting(false)
              // The overview shows the deletion as it goes.
              void navigate({ href: clusterHref(cluster.id) })
            }}
          />
        ) : null}
      </Suspense>
    </>
  )
}

function NoSuchCluster({ id }: { id: string | undefined }) {
  usePageTitle('Cluster not found')
  return (
    <>
      <PageHeader title="Cluster not found" />
      <EmptyState
        title={`There is no cluster ${id ?? ''} in this organization`}
        description="It may have been deleted, or it belongs to another of your organizations: switch in the menu at the bottom of the sidebar."
        action={<ButtonLink href="/kubernetes/clusters">All clusters</ButtonLink>}
      />
    </>
  )
}

function numericId(text: string | undefined): number | undefined {
  const id = Number(text)
  return Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? id : undefined
}
