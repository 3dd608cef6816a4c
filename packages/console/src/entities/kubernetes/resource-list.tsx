import type { Cluster } from '@bey/contract'
import { clusterCan } from '@bey/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { useNamespaces } from '../../data/kubernetes.ts'
import { useLive } from '../../data/live.ts'
import { errorText, isForbiddenByCluster, isNotFound } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { tableControls } from '../../lib/list-location.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterInput } from '../../ui/filter-input.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { Freshness } from '../../ui/freshness.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import type { Column } from '../../ui/table.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { kubectlGet } from './kubectl-get.ts'
import { filterChange } from './label-filter.ts'
import { LiveTable } from './live-table.tsx'
import type { PeekAddress } from './peek-address.ts'

interface Page {
  total: number
  page: number
  limit: number
  asOf: string
  isLive: boolean
  noAnswerSince: string | null
  /** What has been read so far of a long list. */
  isPartial: boolean
}

export interface ResourceListProps<Row> {
  cluster: Cluster
  /** Plural, lower case: "pods". */
  noun: string
  columns: readonly Column<Row>[]
  /** The query whose page is shown, and the rows that it holds. */
  list: Pick<UseQueryResult<Page>, 'data' | 'error' | 'isFetching' | 'refetch'>
  rows: readonly Row[] | undefined
  listLocation: ListLocation
  defaultSort: { key: string; direction: 'asc' | 'desc' }
  /** Why a cluster may have none. */
  emptyText: string
  /** Under that text: what to begin with. */
  emptyAction?: ReactNode
  /** Where a row leads; the name becomes the link. */
  rowHref?: (row: Row) => string
  /** The object that a row is, for what can be done with it; keep the function the same from render to render. */
  rowAddress?: (row: Row) => PeekAddress
  /** What kubectl gets of it: "pods". */
  kubectlResources: string
  isNamespaced?: boolean
  /** The only namespace whose objects are listed; left out, that of the address, if any. */
  namespace?: string | undefined
  /** Whether "app=web" in the filter means labels. */
  hasLabels?: boolean
  groupOf?: (row: Row) => string
  groupHeading?: (group: string) => ReactNode
  /** `type` in the address is the resource that is listed, and filters nothing. */
  isTypeResource?: boolean
  /** In the second line of the toolbar while no row is selected. */
  atRest?: ReactNode
  /** Selects beside the filter. */
  filters?: ReactNode
}

/** Objects of a cluster, as the server sorts, filters and pages them, and how current they are. */
export function ResourceList<Row extends { uid: string }>(props: ResourceListProps<Row>) {
  const { cluster, noun, columns, list, rows, listLocation, defaultSort } = props
  const clusterOf = useCallback(() => cluster, [cluster])
  const reason = clusterCan.connect(cluster)
  if (reason) return <EmptyState title={`No ${noun} to show`} description={reason} />
  // What may not be read any more, or is not served any more, is not shown as it was before.
  const isOutOfReach = isForbiddenByCluster(list.error) || isNotFound(list.error)
  const page = isOutOfReach ? undefined : list.data
  const failure = isNotFound(list.error)
    ? {
        ...errorText(`No ${noun} are served`, list.error),
        isRefusal: true,
        onRetry: () => void list.refetch(),
        isRetrying: list.isFetching,
      }
    : failureOf(`Failed to fetch ${noun}`, { ...list, data: page })
  const { q, label, namespace, status, type, health } = listLocation.search
  const filters = [q, label, namespace, status, health, props.isTypeResource ? undefined : type]
  const title = noun.charAt(0).toUpperCase() + noun.slice(1)
  return (
    <>
      <Toolbar
        pages={
          <>
            {page ? <ResourceFreshness page={page} /> : null}
            {page ? (
              <Pagination {...page} onPageChange={(next) => listLocation.change({ page: next })} />
            ) : null}
          </>
        }
      >
        <FilterInput
          label={`Filter ${noun}`}
          value={q ?? label ?? ''}
          onChange={(text) => listLocation.change(props.hasLabels ? filterChange(text) : { q: text })}
        />
        {props.filters}
      </Toolbar>
      <LiveTable
        label={title}
        listLocation={listLocation}
        clusterOf={clusterOf}
        rowAddress={props.rowAddress}
        atRest={props.atRest}
        groupOf={props.groupOf}
        {...(props.groupHeading && { groupHeading: props.groupHeading })}
        page={page}
        command={kubectlGet({
          clusterTitle: cluster.title,
          resources: props.kubectlResources,
          namespace: props.namespace ?? namespace,
          labels: label,
          isNamespaced: props.isNamespaced ?? true,
        })}
        columns={columns}
        rows={isOutOfReach ? undefined : rows}
        rowKey={(row) => row.uid}
        {...(props.rowHref && { rowHref: props.rowHref })}
        {...tableControls(listLocation, listLocation.search, defaultSort, filters)}
        isRefreshing={list.isFetching && page !== undefined && page.page !== (listLocation.search.page ?? 1)}
        error={failure && <ErrorState {...failure} />}
        empty={<EmptyState title={`No ${noun}`} description={props.emptyText} action={props.emptyAction} />}
      />
    </>
  )
}

/** "live" only when both the server watches the cluster and this page hears of it. */
export function ResourceFreshness({
  page,
}: {
  page: Pick<Page, 'asOf' | 'isLive'> & { isPartial?: boolean; noAnswerSince?: string | null }
}) {
  const { state } = useLive()
  if (page.noAnswerSince && state === 'live')
    return <Freshness state="silent" asOf={new Date(page.noAnswerSince)} />
  if (page.isPartial) {
    return <output className="text-small whitespace-nowrap text-text-3">reading the rest…</output>
  }
  return <Freshness state={page.isLive ? state : 'reconnecting'} asOf={new Date(page.asOf)} isSteady />
}

/** The choice of a namespace, from those that the cluster has. */
export function NamespaceSelect({ cluster, listLocation }: { cluster: Cluster; listLocation: ListLocation }) {
  const { data } = useNamespaces(cluster.id, cluster.status === 'RUNNING')
  return (
    <FilterSelect
      label="Namespace"
      // As wide before its names have come.
      className="w-40"
      all="All namespaces"
      value={listLocation.search.namespace}
      options={data?.namespaces.map((row) => row.name) ?? []}
      onChange={(namespace) => listLocation.change({ namespace })}
    />
  )
}
