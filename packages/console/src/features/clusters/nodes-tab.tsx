import type { Cluster, NodeRow } from '@bey/contract'
import { objectPath } from '@bey/contract'
import type { NodeQuery } from '../../data/kubernetes.ts'
import { useNodes } from '../../data/kubernetes.ts'
import { healthOf, HealthSelect } from '../../entities/health/health-select.tsx'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { absent, formatBytes, formatCpu, formatNumber } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, useListLocation } from '../../lib/list-location.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { byHealth } from '../../entities/kubernetes/by-health.tsx'
import { ResourceList } from '../../entities/kubernetes/resource-list.tsx'

const sorts = ['name', 'health', 'pods', 'cpu', 'memory', 'createdAt'] as const

export function NodesTab({ cluster }: { cluster: Cluster }) {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useNodes(cluster.id, query, cluster.status === 'RUNNING')
  return (
    <ResourceList
      cluster={cluster}
      noun="nodes"
      columns={columns}
      list={list}
      rows={list.data?.nodes}
      rowHref={({ name }) => objectPath({ clusterId: cluster.id, resource: 'nodes', namespace: '', name })}
      rowAddress={rowAddress}
      kubectlResources="nodes"
      isNamespaced={false}
      listLocation={listLocation}
      defaultSort={{ key: 'health', direction: 'asc' }}
      {...byHealth(query)}
      filters={<HealthSelect listLocation={listLocation} />}
      emptyText="Machines appear here as they join the cluster."
    />
  )
}

const rowAddress = ({ name }: NodeRow) => ({ resource: 'nodes', namespace: '', name })

const columns: readonly Column<NodeRow>[] = [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    width: '20%',
    cell: (node) => <Truncated keepsEnd>{node.name}</Truncated>,
  },
  {
    key: 'health',
    header: 'Status',
    sortKey: 'health',
    width: '10rem',
    cell: ({ health }) => (
      <HealthStatus health={health} label={health.state === 'healthy' ? 'ready' : undefined} />
    ),
    isVital: true,
  },
  {
    key: 'roles',
    header: 'Roles',
    width: '7rem',
    cell: (node) => node.roles.join(', ') || absent,
    isExtra: true,
  },
  { key: 'version', header: 'Version', width: '9.5rem', cell: (node) => node.version, isExtra: true },
  {
    key: 'pods',
    header: 'Pods',
    sortKey: 'pods',
    align: 'end',
    width: '5rem',
    cell: (node) => formatNumber(node.podCount),
  },
  {
    key: 'cpu',
    header: 'CPU requested',
    sortKey: 'cpu',
    align: 'end',
    width: '11rem',
    cell: (node) => <Share used={node.cpu.requested} total={node.cpu.allocatable} format={formatCpu} />,
  },
  {
    key: 'memory',
    header: 'Memory requested',
    sortKey: 'memory',
    align: 'end',
    width: '11rem',
    cell: (node) => (
      <Share used={node.memory.requested} total={node.memory.allocatable} format={formatBytes} />
    ),
  },
  {
    key: 'createdAt',
    header: 'Age',
    sortKey: 'createdAt',
    align: 'end',
    width: '7rem',
    cell: (node) => <RelativeTime at={node.createdAt} />,
  },
]

function Share({ used, total, format }: { used: number; total: number; format: (value: number) => string }) {
  return (
    <>
      {format(used)} <span className="text-text-3">of {format(total)}</span>
    </>
  )
}

function queryOf(listLocation: ListLocation): NodeQuery {
  const query: NodeQuery = { sort: 'health', ...listQuery(listLocation.search, sorts) }
  const health = healthOf(listLocation)
  if (health) query.health = health
  return query
}
