import type { Cluster, NodeRow } from '@bey/contract'
import { useNodes } from '../../data/kubernetes.ts'
import { absent, formatBytes, formatCpu, formatNumber } from '../../lib/format.ts'
import { listQuery, useListPlace } from '../../lib/list-place.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { ResourceList } from './resource-list.tsx'

const sorts = ['name', 'status', 'pods', 'cpu', 'memory', 'createdAt'] as const

export function NodesTab({ cluster }: { cluster: Cluster }) {
  const place = useListPlace()
  const list = useNodes(cluster.id, listQuery(place.search, sorts), cluster.status === 'RUNNING')
  return (
    <ResourceList
      cluster={cluster}
      noun="nodes"
      columns={columns}
      list={list}
      rows={list.data?.nodes}
      place={place}
      defaultSort={{ key: 'name', direction: 'asc' }}
      emptyText="Machines appear here as they join the cluster."
    />
  )
}

const columns: readonly Column<NodeRow>[] = [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    width: '20%',
    cell: (node) => <Truncated keepsEnd>{node.name}</Truncated>,
  },
  { key: 'status', header: 'Status', sortKey: 'status', width: '10rem', cell: nodeStatus },
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
    width: '7.5rem',
    cell: (node) => <RelativeTime at={node.createdAt} />,
  },
]

function nodeStatus(node: NodeRow) {
  const isReady = node.status === 'Ready'
  return (
    <span className="inline-flex items-center gap-2">
      <Status
        status={isReady ? 'ready' : node.status === 'NotReady' ? 'not_ready' : 'unknown'}
        label={isReady ? 'ready' : undefined}
      />
      {node.isSchedulable ? null : <span className="text-warn">cordoned</span>}
    </span>
  )
}

function Share({ used, total, format }: { used: number; total: number; format: (value: number) => string }) {
  return (
    <>
      {format(used)} <span className="text-text-3">of {format(total)}</span>
    </>
  )
}
