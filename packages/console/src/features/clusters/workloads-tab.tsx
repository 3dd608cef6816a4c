import type { Cluster, DeploymentRow } from '@bey/contract'
import type { DeploymentQuery } from '../../data/kubernetes.ts'
import { useDeployments } from '../../data/kubernetes.ts'
import { absent, formatNumber } from '../../lib/format.ts'
import type { ListPlace } from '../../lib/list-place.ts'
import { listQuery, useListPlace } from '../../lib/list-place.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { NamespaceSelect, ResourceList } from './resource-list.tsx'

const sorts = ['name', 'namespace', 'ready', 'createdAt'] as const

/** The deployments of a cluster. */
export function WorkloadsTab({ cluster }: { cluster: Cluster }) {
  const place = useListPlace()
  const list = useDeployments(cluster.id, queryOf(place), cluster.status === 'RUNNING')
  return (
    <ResourceList
      cluster={cluster}
      noun="deployments"
      columns={columns}
      list={list}
      rows={list.data?.deployments}
      place={place}
      defaultSort={{ key: 'name', direction: 'asc' }}
      emptyText="A deployment keeps a number of equal pods running. Create one with kubectl; it appears here at once."
      filters={<NamespaceSelect cluster={cluster} place={place} />}
    />
  )
}

const columns: readonly Column<DeploymentRow>[] = [
  { key: 'name', header: 'Name', sortKey: 'name', width: '20%', cell: (row) => row.name },
  {
    key: 'namespace',
    header: 'Namespace',
    sortKey: 'namespace',
    width: '9rem',
    cell: (row) => row.namespace,
  },
  { key: 'status', header: 'Status', width: '8rem', cell: deploymentStatus, isVital: true },
  {
    key: 'ready',
    header: 'Ready',
    sortKey: 'ready',
    align: 'end',
    width: '6rem',
    cell: (row) => `${row.ready}/${row.desired}`,
  },
  {
    key: 'upToDate',
    header: 'Up to date',
    align: 'end',
    width: '7rem',
    cell: (row) => formatNumber(row.upToDate),
  },
  {
    key: 'available',
    header: 'Available',
    align: 'end',
    width: '6.5rem',
    cell: (row) => formatNumber(row.available),
  },
  { key: 'images', header: 'Images', width: '24%', cell: images },
  {
    key: 'createdAt',
    header: 'Age',
    sortKey: 'createdAt',
    align: 'end',
    width: '7.5rem',
    cell: (row) => <RelativeTime at={row.createdAt} />,
  },
]

function deploymentStatus(row: DeploymentRow) {
  if (row.desired === 0) return <Status status="paused" label="scaled to 0" />
  if (row.ready >= row.desired && row.upToDate >= row.desired) return <Status status="running" />
  return <Status status="updating" />
}

function images(row: DeploymentRow) {
  const text = row.images.join(', ')
  return text ? (
    <span className="block truncate font-mono text-small" data-tooltip={row.images.join('\n')}>
      {text}
    </span>
  ) : (
    absent
  )
}

function queryOf({ search }: ListPlace): DeploymentQuery {
  const query: DeploymentQuery = listQuery(search, sorts)
  if (search.namespace) query.namespace = search.namespace
  return query
}
