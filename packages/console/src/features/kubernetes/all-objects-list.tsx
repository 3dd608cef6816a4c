import type { CallOutput, ClusterObjectRow } from '@bey/contract'
import { healthStates, isMeasuredStorage, objectPath } from '@bey/contract'
import { useCallback, useMemo } from 'react'
import type { ReactNode } from 'react'
import type { AllObjectsQuery } from '../../data/kubernetes.ts'
import { useAllObjects } from '../../data/kubernetes.ts'
import { HealthCounts } from '../../entities/health/health-counts.tsx'
import { healthOf } from '../../entities/health/health-select.tsx'
import {
  askedCluster,
  ClusterFilters,
  ClusterNotices,
  FollowClusters,
} from '../../entities/kubernetes/cluster-filters.tsx'
import { filterChange } from '../../entities/kubernetes/label-filter.ts'
import { LiveTable } from '../../entities/kubernetes/live-table.tsx'
import { hasServiceHealth, objectColumns, objectSort } from '../../entities/kubernetes/object-columns.tsx'
import { ResourceFreshness } from '../../entities/kubernetes/resource-list.tsx'
import { healthHeading } from '../../entities/kubernetes/workload-columns.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { usageColumn } from '../../entities/kubernetes/volumes/volume-usage-cell.tsx'
import { Below } from '../../ui/below.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterInput } from '../../ui/filter-input.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Select } from '../../ui/select.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { HealthSummary } from './health-summary.tsx'

type Answer = CallOutput<'kubernetes.allObjects'>

export interface AllObjectsListProps {
  title: string
  /** The resources that can be chosen, the first one at first, with their names and what one and several are called. */
  resources: readonly {
    value: string
    label: string
    one: string
    noun: string
    /** False for objects of the cluster itself: the list has then no filter by namespace from the first frame on. */
    isNamespaced?: boolean
  }[]
  emptyText: string
  /** What the head says of the answer, beginning with how many there are; by default that alone. */
  summary?: (data: Answer, count: string) => ReactNode
  /** Beside the other filters. */
  filters?: (resource: string, listLocation: ListLocation) => ReactNode
}

/** Objects of all clusters of the organization, of one of several resources. */
export function AllObjectsList({ title, resources, emptyText, summary, filters }: AllObjectsListProps) {
  const listLocation = useListLocation()
  const { q, label, cluster, namespace, status, type, health } = listLocation.search
  const chosen = resources.find(({ value }) => value === type) ?? resources[0]
  const {
    value: resource,
    one,
    noun,
    isNamespaced = true,
  } = chosen ?? { value: '', one: 'object', noun: 'objects' }
  const query = queryOf(listLocation, resource)
  const list = useAllObjects(resource, query)
  const { data } = list
  const failure = failureOf(`Failed to fetch ${noun}`, list)
  const columns = useMemo(() => columnsOf(resource, data), [resource, data])
  const isGrouped = query.sort === 'health' && query.order !== 'desc'
  const countText = ({ total, clusters }: Answer) =>
    `${formatCount(total, one, noun)} in ${formatCount(clusters.length, 'cluster')}`
  const rowAddress = useCallback(
    ({ namespace: within, name }: ClusterObjectRow) => ({ resource, namespace: within, name }),
    [resource],
  )
  return (
    <>
      <PageHeader
        title={title}
        description={
          data?.counts ? (
            <HealthSummary
              counts={data.counts}
              clusterCount={data.clusters.length}
              one={one}
              noun={noun}
              isFiltered={Boolean(q ?? label ?? namespace)}
            />
          ) : data ? (
            (summary?.(data, countText(data)) ?? countText(data))
          ) : (
            ' '
          )
        }
      />
      {/* On a phone the sentence above wraps. */}
      <Below isReady={data !== undefined || failure !== undefined} isOnPhoneOnly>
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
            label={`Filter ${noun}`}
            value={q ?? label ?? ''}
            onChange={(text) => listLocation.change(filterChange(text))}
          />
          <Select
            aria-label="Resource"
            controlSize="small"
            value={resource}
            onChange={(event) =>
              listLocation.change({
                type: event.target.value,
                sort: undefined,
                order: undefined,
                status: undefined,
                health: undefined,
              })
            }
            options={resources}
          />
          <ClusterFilters
            data={data}
            listLocation={listLocation}
            hasNamespaces={data?.isNamespaced ?? isNamespaced}
          />
          {filters?.(resource, listLocation)}
        </Toolbar>
        {data ? <FollowClusters clusters={data.clusters} /> : null}
        <LiveTable
          label={title}
          listLocation={listLocation}
          columns={columns}
          rows={data?.objects}
          rowKey={rowKey}
          rowHref={(row) => objectPath({ clusterId: row.clusterId, ...rowAddress(row) })}
          rowAddress={rowAddress}
          clusterOf={(row) => ({ id: row.clusterId, title: row.cluster })}
          page={data}
          {...(isGrouped && {
            groupOf: (row: ClusterObjectRow) => row.health?.state ?? 'unknown',
            groupHeading: (state: string) => {
              const known = oneOf(healthStates, state) ?? 'unknown'
              return healthHeading(known, data?.counts?.[known])
            },
          })}
          atRest={
            data?.counts ? (
              <HealthCounts counts={data.counts} listLocation={listLocation} />
            ) : hasServiceHealth(resource) ? null : undefined
          }
          {...tableControls(listLocation, listLocation.search, objectSort(resource), [
            q,
            label,
            cluster,
            namespace,
            status,
            health,
          ])}
          isRefreshing={
            list.isFetching && data !== undefined && data.page !== (listLocation.search.page ?? 1)
          }
          error={failure && <ErrorState {...failure} />}
          empty={
            <EmptyState
              title={`No ${noun}`}
              description={emptyText}
              action={<ButtonLink href="/kubernetes/clusters">Open the clusters</ButtonLink>}
            />
          }
        />
      </Below>
      {/* Below the rows, which then do not move when it is known what is missing among them. */}
      {data ? (
        <ClusterNotices data={data} onRetry={() => void list.refetch()} isRetrying={list.isFetching} />
      ) : null}
    </>
  )
}

const rowKey = (row: ClusterObjectRow) => `${row.clusterId} ${row.uid}`

const clusterColumn: Column<ClusterObjectRow> = {
  key: 'cluster',
  header: 'Cluster',
  sortKey: 'cluster',
  width: '8rem',
  cell: (row) => <Truncated>{row.cluster}</Truncated>,
}

/** What nobody uses says so in the place of what is used inside. */
const usedColumn: Column<ClusterObjectRow> = {
  ...usageColumn,
  cell: (row) =>
    row.unused === null ? usageColumn.cell(row) : <Status status="degraded" label={row.unused} />,
}

/** As every list of the resource has them, with the cluster, and what nobody uses. */
function columnsOf(resource: string, data: Answer | undefined): readonly Column<ClusterObjectRow>[] {
  const own: readonly Column<ClusterObjectRow>[] = objectColumns(data?.columns ?? [], {
    isNamespaced: data?.isNamespaced ?? true,
    hasUsage: isMeasuredStorage(resource),
    hasHealth: hasServiceHealth(resource),
  })
  const first = hasServiceHealth(resource) ? 2 : 1
  const rest = own.slice(first)
  return [
    ...own.slice(0, first),
    clusterColumn,
    ...rest.map((column) => (column.key === usedColumn.key ? usedColumn : column)),
  ]
}

function queryOf(listLocation: ListLocation, resource: string): AllObjectsQuery {
  const { search } = listLocation
  const query: AllObjectsQuery = { sort: objectSort(resource).key }
  const health = hasServiceHealth(resource) ? healthOf(listLocation) : undefined
  if (health) query.health = health
  const cluster = askedCluster(listLocation)
  if (search.page) query.page = search.page
  if (search.q) query.search = search.q
  if (search.label) query.labels = search.label
  if (search.namespace) query.namespace = search.namespace
  if (cluster !== undefined) query.cluster = cluster
  if (search.status === 'unused') query.unused = 'true'
  if (search.status === 'nearly-full') query.nearlyFull = 'true'
  if (search.sort) query.sort = search.sort
  if (search.order) query.order = search.order
  return query
}
