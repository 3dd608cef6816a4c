import type { IngressGateway } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { useList } from '../../data/use-read.ts'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { useListLocation } from '../../lib/list-location.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { IngressPage } from './ingress-page.tsx'
import { ingressControls, ingressQuery, ingressRefreshMs, toggledHref } from './ingress-query.ts'
import { NothingLeadsIn } from './nothing-leads-in.tsx'

const path = '/networking/ingress/gateways'
const sorts = ['name', 'health'] as const

/** Gateways of the clusters that serve the Gateway API, with their listeners and routes. */
export function GatewayListPage() {
  const listLocation = useListLocation()
  const query = ingressQuery(listLocation, sorts)
  const list = useList('ingress.gateways', { query }, { refreshMs: ingressRefreshMs })
  const { data } = list
  const failure = failureOf('Failed to fetch gateways', list)
  return (
    <IngressPage
      current={path}
      summary={data ? formatCount(data.total, 'gateway') : ' '}
      noun="gateways"
      list={list}
      listLocation={listLocation}
    >
      <Table
        label="Gateways"
        isFilled
        columns={columns}
        rows={data?.gateways}
        rowKey={keyOf}
        rowHref={(row) => toggledHref(path, listLocation, keyOf(row))}
        rowLabel={({ name }) => name}
        expansion={{
          current: listLocation.search.peek,
          content: (row) => <GatewayDetail gateway={row} />,
        }}
        {...ingressControls(listLocation, query, 'health')}
        isRefreshing={list.isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={<NothingLeadsIn data={data} title="No gateway" what="gateways (Gateway API v1)" />}
      />
    </IngressPage>
  )
}

const keyOf = ({ clusterId, namespace, name }: IngressGateway) => `${clusterId}/${namespace}/${name}`

const columns: readonly Column<IngressGateway>[] = [
  { key: 'name', header: 'Gateway', sortKey: 'name', width: '20%', cell: ({ name }) => name },
  {
    key: 'health',
    header: 'Health',
    sortKey: 'health',
    width: '11rem',
    isVital: true,
    cell: ({ health }) => <HealthStatus health={health} />,
  },
  {
    key: 'listeners',
    header: 'Listeners',
    cell: ({ listeners }) => (
      <Truncated>{listeners.map(({ protocol, port }) => `${protocol} ${port ?? ''}`).join(', ')}</Truncated>
    ),
  },
  { key: 'routes', header: 'Routes', width: '5rem', align: 'end', cell: ({ routeTotal }) => routeTotal },
  {
    key: 'addresses',
    header: 'Addresses',
    width: '12rem',
    cell: ({ addresses }) => <Truncated>{addresses.join(', ') || '—'}</Truncated>,
  },
  {
    key: 'class',
    header: 'Class',
    width: '8rem',
    cell: ({ className }) => <Truncated>{className}</Truncated>,
  },
  {
    key: 'cluster',
    header: 'Cluster',
    width: '11rem',
    cell: ({ cluster, namespace }) => <Truncated>{`${cluster}, ${namespace}`}</Truncated>,
  },
]

function GatewayDetail({ gateway }: { gateway: IngressGateway }) {
  const { clusterId, listeners, routes, routeTotal, health } = gateway
  return (
    <div className="grid gap-x-8 gap-y-6 py-2 @3xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Section title="Listeners">
        {health.detail === null ? null : <p className="mb-2 text-danger">{health.detail}</p>}
        <ul className="flex flex-col gap-2">
          {listeners.map(({ name, hostname, port, protocol, attachedRoutes, problem }) => (
            <li key={name}>
              <span className="font-medium">{name}</span> {protocol} {port}{' '}
              {hostname === '' ? 'any host' : hostname}
              <span className="text-text-2">
                {attachedRoutes === null ? '' : `, ${formatCount(attachedRoutes, 'route')} attached`}
              </span>
              {problem === null ? null : <span className="block text-danger">{problem}</span>}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Routes">
        {routes.length === 0 ? <p className="text-text-2">No HTTPRoute names this gateway.</p> : null}
        <ul className="flex flex-col gap-2">
          {routes.map(({ namespace, name, isAttached, text }) => (
            <li key={`${namespace} ${name}`}>
              <Link
                href={objectPath({
                  clusterId,
                  resource: 'httproutes.gateway.networking.k8s.io',
                  namespace,
                  name,
                })}
                className="break-all hover:underline"
              >
                {namespace}/{name}
              </Link>{' '}
              <span className={isAttached === false ? 'text-danger' : 'text-text-2'}>{text}</span>
            </li>
          ))}
        </ul>
        {routeTotal > routes.length ? (
          <p className="mt-2 text-small text-text-3">
            and {formatCount(routeTotal - routes.length, 'route')} more
          </p>
        ) : null}
      </Section>
    </div>
  )
}
