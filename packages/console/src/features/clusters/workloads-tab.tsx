import type { Cluster, WorkloadRow } from '@bey/contract'
import { objectPath, resourceOfKind, workloadKinds } from '@bey/contract'
import type { WorkloadQuery } from '../../data/kubernetes.ts'
import { useWorkloads } from '../../data/kubernetes.ts'
import { healthOf, HealthSelect } from '../../entities/health/health-select.tsx'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { absent } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, useListLocation } from '../../lib/list-location.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'
import { SampleApplications } from '../../entities/kubernetes/samples/sample-applications.tsx'
import { NamespaceSelect, ResourceList } from '../../entities/kubernetes/resource-list.tsx'

const sorts = ['name', 'kind', 'namespace', 'health', 'ready', 'createdAt'] as const

/** What keeps pods running in a cluster, and pods that nothing keeps. */
export function WorkloadsTab({ cluster }: { cluster: Cluster }) {
  const listLocation = useListLocation()
  const list = useWorkloads(cluster.id, queryOf(listLocation), cluster.status === 'RUNNING')
  return (
    <ResourceList
      cluster={cluster}
      noun="workloads"
      columns={columns}
      list={list}
      rows={list.data?.workloads}
      rowHref={({ kind, namespace, name }) =>
        objectPath({ clusterId: cluster.id, resource: resourceOfKind(kind) ?? '', namespace, name })
      }
      rowAddress={rowAddress}
      listLocation={listLocation}
      defaultSort={{ key: 'name', direction: 'asc' }}
      emptyText="A deployment, for example, keeps a number of equal pods running. Create one, or apply a sample application; it appears here at once."
      emptyAction={<SampleApplications cluster={cluster} />}
      filters={
        <>
          <NamespaceSelect cluster={cluster} listLocation={listLocation} />
          <HealthSelect listLocation={listLocation} />
          <FilterSelect
            label="Kind"
            all="All kinds"
            value={oneOf(workloadKinds, listLocation.search.type)}
            options={workloadKinds}
            onChange={(type) => listLocation.change({ type })}
          />
        </>
      }
    />
  )
}

const rowAddress = ({ kind, namespace, name }: WorkloadRow) => ({
  resource: resourceOfKind(kind) ?? '',
  namespace,
  name,
})

const columns: readonly Column<WorkloadRow>[] = [
  { key: 'name', header: 'Name', sortKey: 'name', width: '20%', cell: (row) => row.name },
  {
    key: 'namespace',
    header: 'Namespace',
    sortKey: 'namespace',
    width: '9rem',
    cell: (row) => row.namespace,
  },
  { key: 'kind', header: 'Kind', sortKey: 'kind', width: '7.5rem', cell: (row) => row.kind },
  {
    key: 'health',
    header: 'Status',
    sortKey: 'health',
    width: '11rem',
    cell: (row) => <HealthStatus health={row.health} />,
    isVital: true,
  },
  {
    key: 'ready',
    header: 'Ready',
    sortKey: 'ready',
    align: 'end',
    width: '6rem',
    cell: (row) => (row.kind === 'CronJob' ? absent : `${row.ready}/${row.desired}`),
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

function images(row: WorkloadRow) {
  const text = row.images.join(', ')
  return text ? (
    <span className="block truncate font-mono text-small" data-tooltip={row.images.join('\n')}>
      {text}
    </span>
  ) : (
    absent
  )
}

function queryOf(listLocation: ListLocation): WorkloadQuery {
  const { search } = listLocation
  const query: WorkloadQuery = listQuery(search, sorts)
  const health = healthOf(listLocation)
  const kind = oneOf(workloadKinds, search.type)
  if (search.namespace) query.namespace = search.namespace
  if (health) query.health = health
  if (kind) query.kind = kind
  return query
}
