import type { Cluster, PodRow } from '@bey/contract'
import type { PodQuery } from '../../data/kubernetes.ts'
import { usePods } from '../../data/kubernetes.ts'
import { absent, formatNumber } from '../../lib/format.ts'
import type { ListPlace } from '../../lib/list-place.ts'
import { oneOf, useListPlace } from '../../lib/list-place.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Select } from '../../ui/select.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { podStatus } from './pod-status.ts'
import { NamespaceSelect, ResourceList } from './resource-list.tsx'

const sorts = ['name', 'namespace', 'status', 'restarts', 'node', 'createdAt'] as const
const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] as const

export function PodsTab({ cluster }: { cluster: Cluster }) {
  const place = useListPlace()
  const isRunning = cluster.status === 'RUNNING'
  const { data, error, isFetching, refetch } = usePods(cluster.id, queryOf(place), isRunning)
  return (
    <ResourceList
      cluster={cluster}
      noun="pods"
      columns={columns}
      rows={data?.pods}
      page={data}
      error={error}
      isFetching={isFetching}
      onRetry={() => void refetch()}
      place={place}
      defaultSort={{ key: 'name', direction: 'asc' }}
      emptyText="Pods appear here as workloads start them."
      filters={
        <>
          <NamespaceSelect cluster={cluster} place={place} />
          <Select
            aria-label="Phase"
            controlSize="small"
            value={oneOf(phases, place.search.status) ?? ''}
            onChange={(event) => place.change({ status: event.target.value })}
            options={[
              { value: '', label: 'All phases' },
              ...phases.map((phase) => ({ value: phase, label: phase })),
            ]}
          />
        </>
      }
      minWidth="64rem"
    />
  )
}

const columns: readonly Column<PodRow>[] = [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    width: '24%',
    cell: (pod) => (
      <span className="block truncate" data-tooltip={pod.owner ?? undefined}>
        {pod.name}
      </span>
    ),
  },
  {
    key: 'namespace',
    header: 'Namespace',
    sortKey: 'namespace',
    width: '9rem',
    cell: (pod) => pod.namespace,
  },
  {
    key: 'status',
    header: 'Status',
    sortKey: 'status',
    width: '10rem',
    cell: (pod) => <Status {...podStatus(pod)} />,
  },
  {
    key: 'ready',
    header: 'Ready',
    align: 'end',
    width: '5rem',
    cell: (pod) => `${pod.ready.ready}/${pod.ready.total}`,
  },
  {
    key: 'restarts',
    header: 'Restarts',
    sortKey: 'restarts',
    align: 'end',
    width: '6rem',
    cell: (pod) => (pod.restarts > 0 ? <span className="text-text">{formatNumber(pod.restarts)}</span> : '0'),
  },
  {
    key: 'node',
    header: 'Node',
    sortKey: 'node',
    width: '15%',
    cell: (pod) => (
      <span className="block truncate" data-tooltip={pod.node ?? undefined}>
        {pod.node ?? absent}
      </span>
    ),
  },
  {
    key: 'ip',
    header: 'IP',
    width: '8rem',
    cell: (pod) => <span className="font-mono text-small">{pod.ip ?? absent}</span>,
  },
  {
    key: 'createdAt',
    header: 'Age',
    sortKey: 'createdAt',
    align: 'end',
    width: '7.5rem',
    cell: (pod) => <RelativeTime at={pod.createdAt} />,
  },
]

function queryOf({ search }: ListPlace): PodQuery {
  const query: PodQuery = {}
  const sort = oneOf(sorts, search.sort)
  const phase = oneOf(phases, search.status)
  if (search.page) query.page = search.page
  if (search.q) query.search = search.q
  if (search.namespace) query.namespace = search.namespace
  if (phase) query.phase = phase
  if (sort) query.sort = sort
  if (search.order) query.order = search.order
  return query
}
