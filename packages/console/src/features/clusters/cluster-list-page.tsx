import type { Cluster } from '@bey/contract'
import { clusterLabel, clusterStatuses, needsAttention } from '@bey/contract'
import { Boxes } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import type { ClusterList, ClusterListQuery } from '../../data/clusters.ts'
import { useClusters } from '../../data/clusters.ts'
import { useOrganizationId } from '../../data/session.ts'
import { healthOf, HealthSelect } from '../../entities/health/health-select.tsx'
import type { ClusterTrends } from '../../entities/metrics/cluster-trends.tsx'
import { ClusterTrend, useClusterTrends } from '../../entities/metrics/cluster-trends.tsx'
import { useChangeSearch } from '../../lib/change-search.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { absent, formatCount, formatNumber } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Status } from '../../ui/status.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { ClusterMenu } from './cluster-menu.tsx'
import { ClusterStatus } from '../../entities/clusters/cluster-status.tsx'
import { clusterHref, providerLabels } from '../../entities/clusters/cluster-text.ts'
import { CreateClusterLink, ImportClustersLink } from './create-cluster-link.tsx'

const ClusterPanel = lazyPart(async () => ({ default: (await import('./cluster-panel.tsx')).ClusterPanel }))
const DeleteClusterDialog = lazyPart(async () => ({
  default: (await import('../../entities/clusters/delete-cluster-dialog.tsx')).DeleteClusterDialog,
}))

const sorts = ['title', 'status', 'health', 'createdAt'] as const
// COMPLETED and FAILED only ever stand in live messages.
const filterStatuses = clusterStatuses.filter((status) => status !== 'COMPLETED' && status !== 'FAILED')
const filterLabels = filterStatuses.map(clusterLabel)

/** The clusters of the organization. */
export function ClusterListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useClusters(query)
  const { data, isFetching } = list
  const failure = failureOf('Failed to fetch clusters', list)
  const organizationId = useOrganizationId()
  usePageCommands([apiCommand('List these clusters', 'clusters.list', { query }, organizationId)])
  const [deleting, setDeleting] = useState<Cluster>()
  const trends = useClusterTrends(useMemo(() => runningIds(data?.clusters), [data]))
  const panel = usePanel()

  return (
    <>
      <ListPage
        title="Clusters"
        summary={data && <Summary list={data} />}
        actions={
          <>
            <ButtonLink href="/kubernetes/admin">Administration</ButtonLink>
            <ImportClustersLink />
            <CreateClusterLink />
          </>
        }
        search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
        filters={
          <>
            <FilterSelect
              label="Status"
              all="All statuses"
              value={oneOf(filterLabels, listLocation.search.status)}
              options={filterLabels}
              onChange={(status) => listLocation.change({ status })}
            />
            <HealthSelect listLocation={listLocation} />
          </>
        }
        page={data}
        onPageChange={(page) => listLocation.change({ page })}
        columns={columnsWith(trends)}
        rows={data?.clusters}
        rowKey={(cluster) => String(cluster.id)}
        rowHref={(cluster) => clusterHref(cluster.id)}
        rowLabel={(cluster) => cluster.title}
        peek={{
          current: panel.id === undefined ? undefined : String(panel.id),
          open: (id) => panel.open(Number(id)),
        }}
        rowActions={(cluster) => (
          <ClusterMenu
            cluster={cluster}
            onQuickView={() => panel.open(cluster.id)}
            onDelete={() => setDeleting(cluster)}
          />
        )}
        {...tableControls(listLocation, query, { key: 'health', direction: 'asc' }, [
          listLocation.search.q,
          listLocation.search.status,
          listLocation.search.health,
        ])}
        isRefreshing={isFetching && data !== undefined}
        error={failure && <ErrorState {...failure} />}
        empty={<NoClusters />}
      />
      <Suspense fallback={null}>
        {panel.shownId === undefined ? null : (
          <ClusterPanel
            id={panel.shownId}
            isOpen={panel.id !== undefined}
            onClose={panel.close}
            onDelete={setDeleting}
          />
        )}
        {deleting ? <DeleteClusterDialog cluster={deleting} onClose={() => setDeleting(undefined)} /> : null}
      </Suspense>
    </>
  )
}

const runningIds = (clusters: readonly Cluster[] | undefined) =>
  (clusters ?? []).flatMap(({ id, status }) => (status === 'RUNNING' ? [id] : []))

const columnsWith = (trends: ClusterTrends): readonly Column<Cluster>[] => [
  { key: 'title', header: 'Name', sortKey: 'title', width: '18%', cell: (cluster) => cluster.title },
  {
    key: 'status',
    header: 'Status',
    sortKey: 'health',
    width: '15.5rem',
    isVital: true,
    cell: (cluster) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="shrink-0">
          <ClusterStatus cluster={cluster} />
        </span>
        <Reason cluster={cluster} />
      </span>
    ),
  },
  {
    key: 'since',
    header: 'Since',
    align: 'end',
    width: '6.5rem',
    cell: ({ status, health }) =>
      status === 'RUNNING' && needsAttention(health) ? <RelativeTime at={health.since} /> : absent,
  },
  {
    key: 'provider',
    header: 'Provider',
    width: '7rem',
    isExtra: true,
    cell: (cluster) => (
      <span className="inline-flex items-center gap-2">
        <Badge>{providerLabels[cluster.provider]}</Badge>
        {cluster.isVerified ? null : <Status status="warning" label="not verified" />}
      </span>
    ),
  },
  { key: 'version', header: 'Version', width: '9.5rem', cell: (cluster) => cluster.version, isExtra: true },
  {
    key: 'nodes',
    header: 'Nodes',
    align: 'end',
    width: '4rem',
    cell: (cluster) => formatNumber(cluster.metadata.nodeCount),
  },
  {
    key: 'cpu',
    header: 'CPU, 24 h',
    width: '7.5rem',
    cell: ({ id, title }) => <ClusterTrend label={`CPU of ${title}`} values={trends.cpu(id)} />,
  },
  {
    key: 'memory',
    header: 'Memory, 24 h',
    width: '7.5rem',
    cell: ({ id, title }) => <ClusterTrend label={`Memory of ${title}`} values={trends.memory(id)} />,
  },
  { key: 'region', header: 'Region', cell: (cluster) => cluster.region, isExtra: true },
  {
    key: 'createdAt',
    header: 'Created',
    sortKey: 'createdAt',
    align: 'end',
    width: '6.5rem',
    cell: (cluster) => <RelativeTime at={cluster.createdAt} />,
  },
]

/** "1 of 3 clusters failing", of the page that is shown. */
function Summary({ list: { clusters, total } }: { list: ClusterList }) {
  const failing = clusters.filter(({ status, health }) => status === 'RUNNING' && health.state === 'failing')
  if (failing.length === 0) return <>{formatCount(total, 'cluster')}</>
  return (
    <>
      <span className="text-danger">{formatNumber(failing.length)}</span> of {formatCount(total, 'cluster')}{' '}
      failing
    </>
  )
}

/** Why a cluster needs somebody; an operation that failed says so itself. */
function Reason({ cluster: { status, health, error } }: { cluster: Cluster }) {
  const text = status === 'RUNNING' ? (needsAttention(health) ? health.detail : null) : error
  return text === null ? null : <Truncated>{text}</Truncated>
}

function NoClusters() {
  return (
    <EmptyState
      icon={<Boxes size={24} strokeWidth={1.5} aria-hidden />}
      title="No clusters yet"
      description="A cluster runs your workloads. A sandbox cluster comes up on this machine in about ten seconds, with simulated nodes and a real Kubernetes API for the console and kubectl. Clusters that exist already are imported by their kubeconfig."
      action={
        <>
          <CreateClusterLink />
          <ImportClustersLink />
        </>
      }
    />
  )
}

function queryOf(listLocation: ListLocation): ClusterListQuery {
  const { search } = listLocation
  // Those that need somebody first; the server's own order is by age.
  const query: ClusterListQuery = { sort: 'health', order: 'asc', ...listQuery(search, sorts) }
  const status = oneOf(filterStatuses, search.status?.toUpperCase())
  const health = healthOf(listLocation)
  if (status) query.status = status
  if (health) query.health = health
  return query
}

// The open panel stands in the address, so that a link to it can be sent to somebody.
function usePanel() {
  const changeSearch = useChangeSearch()
  const { search } = useListLocation()
  const id = search.panel
  // The last cluster stays in the panel while it slides out.
  const [shownId, setShownId] = useState(id)
  if (id !== undefined && id !== shownId) setShownId(id)
  const go = (panel: number | undefined) => changeSearch({ panel }, { isStep: true })
  return { id, shownId, open: (next: number) => go(next), close: () => go(undefined) }
}
