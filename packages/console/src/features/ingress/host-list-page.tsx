import type { CallOutput, IngressHost } from '@bey/contract'
import { useList } from '../../data/use-read.ts'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { useListLocation } from '../../lib/list-location.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { ExpiryAxis, ExpiryLeft } from './expiry-axis.tsx'
import { HostDetail } from './host-detail.tsx'
import { IngressPage } from './ingress-page.tsx'
import { ingressControls, ingressQuery, ingressRefreshMs, toggledHref } from './ingress-query.ts'
import { backendText, hostTitle, leftText, readyText, summaryText } from './ingress-text.ts'
import { NothingLeadsIn } from './nothing-leads-in.tsx'

const path = '/networking/ingress'
const sorts = ['host', 'health', 'expiresAt'] as const
/** Key of the row of paths that hold for every host. */
const anyHost = '*'

/** Hosts of all clusters: what is failing first, each with its backends and the end of its certificate. */
export function HostListPage() {
  const listLocation = useListLocation()
  const query = ingressQuery(listLocation, sorts)
  const list = useList('ingress.hosts', { query }, { refreshMs: ingressRefreshMs })
  const { data } = list
  const failure = failureOf('Failed to fetch hosts', list)
  const { peek } = listLocation.search
  // What is left is counted up to the moment at which it was read.
  const nowMs = list.dataUpdatedAt
  return (
    <IngressPage
      current={path}
      summary={data ? <Summary data={data} nowMs={nowMs} /> : ' '}
      noun="hosts"
      list={list}
      listLocation={listLocation}
    >
      <Table
        label="Hosts"
        isFilled
        columns={columnsAt(nowMs)}
        rows={data?.hosts}
        rowKey={keyOf}
        rowHref={(row) => toggledHref(path, listLocation, keyOf(row))}
        rowLabel={hostTitle}
        expansion={{ current: peek, content: (row) => <HostDetail key={row.host} host={row} /> }}
        {...ingressControls(listLocation, query, 'health')}
        isRefreshing={list.isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={<NothingLeadsIn data={data} title="No host yet" what="hosts" />}
      />
    </IngressPage>
  )
}

const keyOf = ({ host }: IngressHost) => (host === '' ? anyHost : host)

function Summary({ data, nowMs }: { data: CallOutput<'ingress.hosts'>; nowMs: number }) {
  const text = summaryText(data, nowMs)
  return data.counts.failing > 0 ? <span className="text-danger">{text}</span> : text
}

function columnsAt(nowMs: number): Column<IngressHost>[] {
  return [
    { key: 'host', header: 'Host', sortKey: 'host', width: '23%', cell: hostTitle },
    {
      key: 'health',
      header: 'Health',
      sortKey: 'health',
      width: '11.5rem',
      isVital: true,
      cell: ({ health }) => <HealthStatus health={health} />,
    },
    {
      key: 'backend',
      header: 'Backend',
      width: '10rem',
      cell: (row) => <Truncated>{backendText(row)}</Truncated>,
    },
    {
      key: 'cluster',
      header: 'Cluster',
      width: '8rem',
      cell: ({ clusters }) => <Truncated>{clusters.map(({ title }) => title).join(', ')}</Truncated>,
    },
    {
      key: 'ready',
      header: 'Ready',
      width: '5rem',
      align: 'end',
      cell: (row) => <span className={row.ready === 0 ? 'text-danger' : undefined}>{readyText(row)}</span>,
    },
    {
      key: 'axis',
      header: 'Now to 90 days',
      cell: ({ expiresAt }) => <ExpiryAxis expiresAt={expiresAt} nowMs={nowMs} />,
    },
    {
      key: 'expiresAt',
      header: 'Valid',
      sortKey: 'expiresAt',
      width: '5.5rem',
      align: 'end',
      cell: ({ expiresAt, tls }) =>
        expiresAt === null ? (
          <span className="text-text-3">{tls === 'none' ? 'no TLS' : 'unknown'}</span>
        ) : (
          <ExpiryLeft expiresAt={expiresAt} text={leftText(expiresAt, nowMs)} nowMs={nowMs} />
        ),
    },
  ]
}
