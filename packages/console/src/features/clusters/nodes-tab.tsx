import type { Cluster, NodeRow } from '@bey/contract'
import { objectPath } from '@bey/contract'
import type { NodeQuery } from '../../data/kubernetes.ts'
import { useNodes } from '../../data/kubernetes.ts'
import { healthOf, HealthSelect } from '../../entities/health/health-select.tsx'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { reasonText } from '../../entities/health/reason-text.ts'
import { absent, formatBytes, formatCount, formatCpu, formatNumber } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, useListLocation } from '../../lib/list-location.ts'
import { LayerCell } from '../../ui/layer-meter.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
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
    cell: (node) => <Truncated keepsEnd>{node.name}</Truncated>,
  },
  {
    key: 'health',
    header: 'Status',
    sortKey: 'health',
    width: '24%',
    cell: (node) => <NodeStatus node={node} />,
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
    width: '4rem',
    cell: (node) => formatNumber(node.podCount),
  },
  {
    key: 'cpu',
    header: 'CPU',
    sortKey: 'cpu',
    width: '13rem',
    cell: ({ cpu }) => <LayerCell label="CPU" {...cpu} format={formatCpu} />,
  },
  {
    key: 'memory',
    header: 'Memory',
    sortKey: 'memory',
    width: '13.5rem',
    cell: ({ memory }) => <LayerCell label="Memory" {...memory} format={formatBytes} />,
  },
  {
    key: 'createdAt',
    header: 'Age',
    sortKey: 'createdAt',
    align: 'end',
    width: '5.5rem',
    cell: (node) => <RelativeTime at={node.createdAt} />,
  },
]

/** How the node is, and which of its pods fail; names of all that the answer has in the tooltip. */
function NodeStatus({ node: { health, failing, failingCount } }: { node: NodeRow }) {
  const [first] = failing
  const lines = failing.map(({ namespace, name, reason }) =>
    [`${namespace}/${name}`, reason && reasonText(reason)].filter(Boolean).join(': '),
  )
  if (failingCount > failing.length) lines.push(`${formatNumber(failingCount - failing.length)} more`)
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <span className="shrink-0">
        <HealthStatus health={health} label={health.state === 'healthy' ? 'ready' : undefined} />
      </span>
      {first ? (
        <span className="min-w-0 truncate text-danger" data-tooltip={lines.join('\n')}>
          {/* Beside figures there is room for the name of a pod on wide screens only. */}
          <span className="max-[1400px]:hidden">
            <Status
              status="failing"
              label={failingCount === 1 ? first.name : `${formatCount(failingCount, 'pod')} failing`}
            />
          </span>
          <span className="min-[1400px]:hidden">{formatNumber(failingCount)} failing</span>
        </span>
      ) : null}
    </span>
  )
}

function queryOf(listLocation: ListLocation): NodeQuery {
  const query: NodeQuery = { sort: 'health', ...listQuery(listLocation.search, sorts) }
  const health = healthOf(listLocation)
  if (health) query.health = health
  return query
}
