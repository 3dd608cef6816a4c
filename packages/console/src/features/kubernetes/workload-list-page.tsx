import type { CallOutput, ClusterWorkloadRow } from '@bey/contract'
import { healthStates, objectPath, workloadKinds } from '@bey/contract'
import type { AllWorkloadsQuery } from '../../data/kubernetes.ts'
import { useAllWorkloads } from '../../data/kubernetes.ts'
import { HealthCounts } from '../../entities/health/health-counts.tsx'
import { healthOf, HealthSelect } from '../../entities/health/health-select.tsx'
import {
  askedCluster,
  ClusterFilters,
  ClusterNotices,
  FollowClusters,
} from '../../entities/kubernetes/cluster-filters.tsx'
import { filterChange } from '../../entities/kubernetes/label-filter.ts'
import { LiveTable } from '../../entities/kubernetes/live-table.tsx'
import { ResourceFreshness } from '../../entities/kubernetes/resource-list.tsx'
import {
  healthHeading,
  workloadAddress,
  workloadColumns,
} from '../../entities/kubernetes/workload-columns.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterInput } from '../../ui/filter-input.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import type { Column } from '../../ui/table.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { HealthSummary } from './health-summary.tsx'

type Answer = CallOutput<'kubernetes.allWorkloads'>

const sorts = ['name', 'kind', 'namespace', 'cluster', 'health', 'ready', 'createdAt'] as const

/** What keeps pods running in all clusters of the organization: what needs somebody first. */
export function WorkloadListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useAllWorkloads(query)
  const { data } = list
  const failure = failureOf('Failed to fetch workloads', list)
  const isGrouped = query.sort === 'health' && query.order !== 'desc'
  const { q, label, cluster, namespace, type, health } = listLocation.search
  return (
    <>
      <PageHeader
        title="Workloads"
        description={
          data ? (
            <HealthSummary
              counts={data.counts}
              clusterCount={data.clusters.length}
              one="workload"
              noun="workloads"
              isFiltered={Boolean(q ?? label ?? namespace ?? type)}
            />
          ) : (
            ' '
          )
        }
      />
      <Toolbar
        pages={
          data ? (
            <>
              <ResourceFreshness page={data} />
              <Pagination {...data} onPageChange={(page) => listLocation.change({ page })} />
            </>
          ) : null
        }
      >
        <FilterInput
          label="Filter workloads"
          value={q ?? label ?? ''}
          onChange={(text) => listLocation.change(filterChange(text))}
        />
        <ClusterFilters data={data} listLocation={listLocation} />
        <FilterSelect
          label="Kind"
          all="All kinds"
          value={oneOf(workloadKinds, type)}
          options={workloadKinds}
          onChange={(kind) => listLocation.change({ type: kind })}
        />
        <HealthSelect listLocation={listLocation} />
      </Toolbar>
      {data ? <FollowClusters clusters={data.clusters} /> : null}
      <LiveTable
        label="Workloads"
        listLocation={listLocation}
        columns={columns}
        rows={data?.workloads}
        rowKey={rowKey}
        rowHref={(row) => objectPath({ clusterId: row.clusterId, ...workloadAddress(row) })}
        rowAddress={workloadAddress}
        clusterOf={(row) => ({ id: row.clusterId, title: row.cluster })}
        {...(isGrouped && {
          groupOf: (row: ClusterWorkloadRow) => row.health.state,
          groupHeading: (state: string) => {
            const known = oneOf(healthStates, state) ?? 'unknown'
            return healthHeading(known, data?.counts[known])
          },
        })}
        page={data}
        atRest={data ? <HealthCounts counts={data.counts} listLocation={listLocation} /> : null}
        {...tableControls(listLocation, listLocation.search, { key: 'health', direction: 'asc' }, [
          q,
          label,
          cluster,
          namespace,
          type,
          health,
        ])}
        isRefreshing={list.isFetching && data !== undefined && data.page !== (listLocation.search.page ?? 1)}
        error={failure && <ErrorState {...failure} />}
        empty={<NothingRuns data={data} />}
      />
      {/* Below the rows, which then do not move when it is known what is missing among them. */}
      {data ? (
        <ClusterNotices data={data} onRetry={() => void list.refetch()} isRetrying={list.isFetching} />
      ) : null}
    </>
  )
}

function NothingRuns({ data }: { data: Answer | undefined }) {
  const hasClusters = (data?.clusters.length ?? 0) + (data?.unreadable.length ?? 0) > 0
  return hasClusters ? (
    <EmptyState
      title="Nothing runs yet"
      description="Workloads of all clusters appear here as soon as something is applied to one of them."
      action={<ButtonLink href="/kubernetes/clusters">Open the clusters</ButtonLink>}
    />
  ) : (
    <EmptyState
      title="No cluster runs yet"
      description="Workloads of all running clusters are listed here, what needs attention first."
      action={
        <ButtonLink variant="primary" href="/kubernetes/clusters/create">
          Create cluster
        </ButtonLink>
      }
    />
  )
}

/** A copy of a cluster may have objects with the same ids. */
const rowKey = (row: ClusterWorkloadRow) => `${row.clusterId} ${row.uid}`

const clusterColumn: Column<ClusterWorkloadRow> = {
  key: 'cluster',
  header: 'Cluster',
  sortKey: 'cluster',
  width: '8rem',
  cell: (row) => <Truncated>{row.cluster}</Truncated>,
}

const columns = [
  ...workloadColumns<ClusterWorkloadRow>(['name', 'health', 'since', 'ready', 'namespace']),
  clusterColumn,
  ...workloadColumns<ClusterWorkloadRow>(['images', 'createdAt']),
]

function queryOf(listLocation: ListLocation): AllWorkloadsQuery {
  const { search } = listLocation
  const query: AllWorkloadsQuery = { sort: 'health', ...listQuery(search, sorts) }
  const health = healthOf(listLocation)
  const kind = oneOf(workloadKinds, search.type)
  const cluster = askedCluster(listLocation)
  if (search.label) query.labels = search.label
  if (search.namespace) query.namespace = search.namespace
  if (cluster !== undefined) query.cluster = cluster
  if (health) query.health = health
  if (kind) query.kind = kind
  return query
}
