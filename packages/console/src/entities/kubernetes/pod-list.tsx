import type { Cluster, PodRow } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { useMemo } from 'react'
import type { PodQuery } from '../../data/kubernetes.ts'
import { usePods } from '../../data/kubernetes.ts'
import { healthOf, HealthSelect } from '../health/health-select.tsx'
import { HealthStatus } from '../health/health-status.tsx'
import { podStatusText } from '../health/pod-status-text.ts'
import { absent, formatNumber } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, useListLocation } from '../../lib/list-location.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { withoutPrefix } from '../../ui/node-ticks.ts'
import { byHealth } from './by-health.tsx'
import { NamespaceSelect, ResourceList } from './resource-list.tsx'

const sorts = ['name', 'namespace', 'health', 'restarts', 'node', 'createdAt'] as const
const phases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] as const

/** Pods of a cluster, or of one of its namespaces: what needs somebody first. */
export function PodList({ cluster, namespace }: { cluster: Cluster; namespace?: string }) {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  if (namespace !== undefined) query.namespace = namespace
  const list = usePods(cluster.id, query, cluster.status === 'RUNNING')
  const columns = useMemo(
    () => columnsOf(cluster.title).filter(({ key }) => namespace === undefined || key !== 'namespace'),
    [cluster.title, namespace],
  )
  return (
    <ResourceList
      cluster={cluster}
      noun="pods"
      columns={columns}
      namespace={namespace}
      list={list}
      rows={list.data?.pods}
      rowHref={({ namespace, name }) =>
        objectPath({ clusterId: cluster.id, resource: 'pods', namespace, name })
      }
      rowAddress={rowAddress}
      kubectlResources="pods"
      hasLabels
      listLocation={listLocation}
      defaultSort={{ key: 'health', direction: 'asc' }}
      {...byHealth(query)}
      emptyText="Pods appear here as workloads start them."
      filters={
        <>
          {namespace === undefined ? <NamespaceSelect cluster={cluster} listLocation={listLocation} /> : null}
          <HealthSelect listLocation={listLocation} />
          <FilterSelect
            label="Phase"
            all="All phases"
            value={oneOf(phases, listLocation.search.status)}
            options={phases}
            onChange={(status) => listLocation.change({ status })}
          />
        </>
      }
    />
  )
}

const rowAddress = ({ namespace, name }: PodRow) => ({ resource: 'pods', namespace, name })

const columnsOf = (cluster: string): readonly Column<PodRow>[] => [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    cell: (pod) => (
      <Truncated tooltip={pod.owner ? `${pod.name}\nof ${pod.owner}` : pod.name} keepsEnd>
        {pod.name}
      </Truncated>
    ),
  },
  {
    key: 'namespace',
    header: 'Namespace',
    sortKey: 'namespace',
    width: '8rem',
    cell: (pod) => <Truncated>{pod.namespace}</Truncated>,
  },
  {
    key: 'health',
    header: 'Status',
    sortKey: 'health',
    width: '10rem',
    cell: ({ health, status }) => <HealthStatus health={health} label={podStatusText(health, status)} />,
    isVital: true,
  },
  {
    key: 'ready',
    header: 'Ready',
    align: 'end',
    width: '4.5rem',
    cell: (pod) => `${pod.ready.ready}/${pod.ready.total}`,
  },
  {
    key: 'restarts',
    header: 'Restarts',
    sortKey: 'restarts',
    align: 'end',
    width: '5.5rem',
    cell: (pod) => (pod.restarts > 0 ? <span className="text-text">{formatNumber(pod.restarts)}</span> : '0'),
  },
  {
    key: 'node',
    header: 'Node',
    sortKey: 'node',
    width: '8rem',
    cell: ({ node }) =>
      node ? <Truncated tooltip={node}>{withoutPrefix(node, `${cluster}-`)}</Truncated> : absent,
  },
  {
    key: 'ip',
    header: 'IP',
    width: '7.5rem',
    cell: (pod) => <span className="font-mono text-small">{pod.ip ?? absent}</span>,
    isExtra: true,
  },
  {
    key: 'createdAt',
    header: 'Age',
    sortKey: 'createdAt',
    align: 'end',
    width: '6.5rem',
    cell: (pod) => <RelativeTime at={pod.createdAt} />,
  },
]

function queryOf(listLocation: ListLocation): PodQuery {
  const { search } = listLocation
  const query: PodQuery = { sort: 'health', ...listQuery(search, sorts) }
  const phase = oneOf(phases, search.status)
  if (search.label) query.labels = search.label
  if (search.namespace) query.namespace = search.namespace
  const health = healthOf(listLocation)
  if (phase) query.phase = phase
  if (health) query.health = health
  return query
}
