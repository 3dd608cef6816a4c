import type { LoadBalancerService } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { useList } from '../../data/use-read.ts'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { useListLocation } from '../../lib/list-location.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { IngressPage } from './ingress-page.tsx'
import { ingressControls, ingressQuery, ingressRefreshMs } from './ingress-query.ts'
import { readyText } from './ingress-text.ts'
import { NothingLeadsIn } from './nothing-leads-in.tsx'

const sorts = ['name', 'health', 'createdAt'] as const

/** Services of type LoadBalancer of all clusters, with their addresses. */
export function LoadBalancerListPage() {
  const listLocation = useListLocation()
  const query = ingressQuery(listLocation, sorts)
  const list = useList('ingress.loadBalancers', { query }, { refreshMs: ingressRefreshMs })
  const { data } = list
  const failure = failureOf('Failed to fetch load balancers', list)
  return (
    <IngressPage
      current="/networking/ingress/load-balancers"
      summary={data ? formatCount(data.total, 'load balancer') : ' '}
      noun="load balancers"
      list={list}
      listLocation={listLocation}
    >
      <Table
        label="Load balancers"
        isFilled
        columns={columns}
        rows={data?.loadBalancers}
        rowKey={({ clusterId, namespace, name }) => `${clusterId}/${namespace}/${name}`}
        rowHref={({ clusterId, namespace, name }) =>
          objectPath({ clusterId, resource: 'services', namespace, name })
        }
        rowLabel={({ name }) => name}
        {...ingressControls(listLocation, query, 'health')}
        isRefreshing={list.isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={<NothingLeadsIn data={data} title="No load balancer yet" what="load balancers" />}
      />
    </IngressPage>
  )
}

const columns: readonly Column<LoadBalancerService>[] = [
  { key: 'name', header: 'Service', sortKey: 'name', width: '20%', cell: ({ name }) => name },
  {
    key: 'health',
    header: 'Health',
    sortKey: 'health',
    width: '11rem',
    isVital: true,
    cell: ({ health }) => <HealthStatus health={health} />,
  },
  {
    key: 'addresses',
    header: 'Addresses',
    cell: ({ addresses, createdAt }) =>
      addresses.length === 0 ? (
        <span className="text-text-3">
          pending
          {createdAt === null ? null : (
            <>
              {' '}
              since <RelativeTime at={createdAt} />
            </>
          )}
        </span>
      ) : (
        <code className="block truncate text-small" title={addresses.join(', ')}>
          {addresses.join(', ')}
        </code>
      ),
  },
  {
    key: 'ports',
    header: 'Ports',
    width: '9rem',
    cell: ({ ports }) => <Truncated>{ports.join(', ')}</Truncated>,
  },
  { key: 'ready', header: 'Ready', width: '5.5rem', align: 'end', cell: readyText },
  {
    key: 'namespace',
    header: 'Namespace',
    width: '9rem',
    cell: ({ namespace }) => <Truncated>{namespace}</Truncated>,
  },
  {
    key: 'cluster',
    header: 'Cluster',
    width: '9rem',
    cell: ({ cluster }) => <Truncated>{cluster}</Truncated>,
  },
  {
    key: 'createdAt',
    header: 'Created',
    sortKey: 'createdAt',
    align: 'end',
    width: '7rem',
    isExtra: true,
    cell: ({ createdAt }) => (createdAt === null ? '—' : <RelativeTime at={createdAt} />),
  },
]
