import type { Cluster } from '@bey/contract'
import { clusterCan } from '@bey/contract'
import type { ReactNode } from 'react'
import { useNamespaces } from '../../data/kubernetes.ts'
import { useLive } from '../../data/live.ts'
import { errorText } from '../../lib/error-text.ts'
import type { ListPlace } from '../../lib/list-place.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterInput } from '../../ui/filter-input.tsx'
import { Freshness } from '../../ui/freshness.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Select } from '../../ui/select.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'

interface Page {
  total: number
  page: number
  limit: number
  asOf: string
  isLive: boolean
}

export interface ResourceListProps<Row> {
  cluster: Cluster
  /** Plural, lower case: "pods". */
  noun: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  page: Page | undefined
  error: Error | null
  isFetching: boolean
  onRetry: () => void
  place: ListPlace
  defaultSort: { key: string; direction: 'asc' | 'desc' }
  /** Why a cluster may have none. */
  emptyText: string
  /** Selects beside the filter. */
  filters?: ReactNode
  minWidth?: string
}

/** Objects of a cluster, as the server sorts, filters and pages them, and how current they are. */
export function ResourceList<Row extends { uid: string }>(props: ResourceListProps<Row>) {
  const { cluster, noun, columns, rows, page, error, isFetching, onRetry, place, defaultSort } = props
  const reason = clusterCan.connect(cluster)
  if (reason) return <EmptyState title={`No ${noun} to show`} description={reason} />
  const failure = error ? errorText(`Failed to fetch ${noun}`, error) : undefined
  const { q, namespace, status, type, sort, order } = place.search
  const title = noun.charAt(0).toUpperCase() + noun.slice(1)
  return (
    <>
      <Toolbar
        end={
          <>
            {page ? <ResourceFreshness page={page} /> : null}
            {page ? <Pagination {...page} onPageChange={(next) => place.change({ page: next })} /> : null}
          </>
        }
      >
        <FilterInput
          label={`Filter ${noun}`}
          value={q ?? ''}
          onChange={(text) => place.change({ q: text })}
        />
        {props.filters}
      </Toolbar>
      <Table
        label={title}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.uid}
        sort={sort ? { key: sort, direction: order ?? 'asc' } : defaultSort}
        onSortChange={({ key, direction }) => place.change({ sort: key, order: direction })}
        isRefreshing={isFetching && rows !== undefined && (page?.page ?? 1) !== (place.search.page ?? 1)}
        error={
          failure && !rows ? <ErrorState {...failure} onRetry={onRetry} isRetrying={isFetching} /> : undefined
        }
        empty={<EmptyState title={`No ${noun}`} description={props.emptyText} />}
        filter={
          place.isFiltered
            ? { query: [q, namespace, status, type].filter(Boolean).join(' · '), onClear: place.clear }
            : undefined
        }
        isFilled
        minWidth={props.minWidth ?? '48rem'}
      />
    </>
  )
}

/** "live" only when both the server watches the cluster and this page hears of it. */
export function ResourceFreshness({ page }: { page: Pick<Page, 'asOf' | 'isLive'> }) {
  const { state } = useLive()
  return <Freshness state={page.isLive ? state : 'reconnecting'} asOf={new Date(page.asOf)} />
}

/** The choice of a namespace, from those that the cluster has. */
export function NamespaceSelect({ cluster, place }: { cluster: Cluster; place: ListPlace }) {
  const { data } = useNamespaces(cluster.id, cluster.status === 'RUNNING')
  const names = data?.namespaces.map((row) => row.name) ?? []
  const chosen = place.search.namespace
  const all = chosen !== undefined && !names.includes(chosen) ? [chosen, ...names] : names
  return (
    <Select
      aria-label="Namespace"
      controlSize="small"
      value={chosen ?? ''}
      onChange={(event) => place.change({ namespace: event.target.value })}
      options={[{ value: '', label: 'All namespaces' }, ...all.map((name) => ({ value: name, label: name }))]}
    />
  )
}
