import { databaseMetrics, databaseTrends, diskQuotaLimits } from '@bey/contract'
import { Database as DatabaseIcon } from 'lucide-react'
import { useMemo } from 'react'
import type { Database, DatabaseListQuery } from '../../data/databases.ts'
import { averagesOf, percentOf, useMetrics } from '../../data/metrics.ts'
import { useList } from '../../data/use-read.ts'
import { DatabaseStatus } from '../../entities/databases/database-status.tsx'
import { databaseHref, placeText, rateLabel, ratePerSecond } from '../../entities/databases/database-text.ts'
import { healthOf, HealthSelect } from '../../entities/health/health-select.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatBytes, formatDuration, formatNumber, formatPercent } from '../../lib/format.ts'
import { listQuery, tableControls, useListLocation } from '../../lib/list-location.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import type { Column } from '../../ui/table.tsx'
import { sinceText } from '../../ui/time-text.ts'
import { TrendLine } from '../../ui/trend-line.tsx'
import { ConnectionShare } from './connection-share.tsx'
import { summaryText } from './summary-text.ts'

const sorts = ['name', 'health'] as const

/** What is measured of all databases, one row each. */
export function DatabaseMetricsPage() {
  const listLocation = useListLocation()
  const query: DatabaseListQuery = listQuery(listLocation.search, sorts)
  const health = healthOf(listLocation)
  if (health) query.health = health
  const list = useList('databases.list', { query })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch databases', list)
  const trends = useTrends(data?.databases)
  return (
    <ListPage
      title="Database Metrics"
      summary={data && summaryText(data.summary)}
      search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
      filters={<HealthSelect listLocation={listLocation} />}
      page={data}
      onPageChange={(page) => listLocation.change({ page })}
      columns={columnsWith(trends)}
      rows={data?.databases}
      rowKey={({ id }) => id}
      rowHref={({ id }) => databaseHref(id, 'metrics')}
      rowLabel={({ name }) => name}
      {...tableControls(listLocation, query, { key: 'health', direction: 'asc' }, [
        query.search,
        query.health,
      ])}
      isRefreshing={isPlaceholderData}
      error={failure && <ErrorState {...failure} />}
      empty={
        <EmptyState
          icon={<DatabaseIcon size={24} strokeWidth={1.5} aria-hidden />}
          title="No database yet"
          description="Once there is one, its connections, transactions and size are measured every 15 s."
          action={
            <ButtonLink href="/databases/create" variant="primary">
              Create database
            </ButtonLink>
          }
        />
      }
    />
  )
}

type Values = readonly (number | null)[]
interface Trends {
  /** Shares (0–1) of the limit. */
  connections: (id: string) => Values | undefined
  transactions: (id: string) => Values | undefined
}

function useTrends(databases: readonly Database[] | undefined): Trends {
  const ids = useMemo(() => (databases ?? []).map(({ id }) => id), [databases])
  const { data } = useMetrics(databaseTrends(ids))
  return {
    connections: (id) => {
      const values = averagesOf(data, id, databaseMetrics.connections)
      return (
        values &&
        percentOf(values, averagesOf(data, id, databaseMetrics.connectionsMax)).map((value) =>
          value === null ? null : value / 100,
        )
      )
    },
    // Each engine has one of the two.
    transactions: (id) =>
      averagesOf(data, id, databaseMetrics.transactions) ?? averagesOf(data, id, databaseMetrics.statements),
  }
}

const columnsWith = (trends: Trends): readonly Column<Database>[] => [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    width: '18%',
    cell: (database) => (
      <>
        {database.name} <span className="font-normal text-text-3">{placeText(database)}</span>
      </>
    ),
  },
  {
    key: 'health',
    header: 'Health',
    sortKey: 'health',
    cell: (database) => (
      <span className="flex min-w-0 items-center gap-2">
        <DatabaseStatus database={database} />
        <Reason database={database} />
      </span>
    ),
  },
  {
    key: 'transactionTrend',
    header: 'Load, 24 h',
    width: '7.5rem',
    cell: ({ id, name }) => {
      const values = trends.transactions(id)
      return values === undefined ? (
        '—'
      ) : (
        <Sparkline values={values.map((value) => value ?? 0)} label={`Load of ${name} over 24 h`} />
      )
    },
  },
  {
    key: 'transactions',
    header: 'Per second',
    align: 'end',
    width: '6.5rem',
    cell: (database) => {
      const rate = database.status === 'available' ? ratePerSecond(database) : null
      return rate === null ? (
        '—'
      ) : (
        <span title={`${rateLabel(database)} a second`}>{formatNumber(Number(rate.toFixed(1)))}</span>
      )
    },
  },
  {
    key: 'connectionTrend',
    header: 'In use, 24 h',
    width: '7.5rem',
    isExtra: true,
    cell: ({ id, name }) => {
      const values = trends.connections(id)
      return values === undefined ? (
        '—'
      ) : (
        <TrendLine values={values} label={`Share of connections of ${name} over 24 h`} />
      )
    },
  },
  {
    key: 'connections',
    header: 'Connections',
    align: 'end',
    width: '8rem',
    cell: ({ status, figures }) =>
      status === 'available' && figures ? <ConnectionShare figures={figures} /> : '—',
  },
  {
    key: 'waiting',
    header: 'Waiting',
    align: 'end',
    width: '5rem',
    cell: ({ status, figures }) =>
      status === 'available' && figures?.waiting != null ? (
        <span className={figures.waiting > 0 ? 'text-warn' : undefined}>{formatNumber(figures.waiting)}</span>
      ) : (
        '—'
      ),
  },
  {
    key: 'longest',
    header: 'Longest now',
    align: 'end',
    width: '6.5rem',
    isExtra: true,
    cell: ({ status, figures }) =>
      status === 'available' && figures?.longestQueryMs != null
        ? formatDuration(figures.longestQueryMs)
        : '—',
  },
  {
    key: 'cacheHit',
    header: 'Cache hits',
    align: 'end',
    width: '6rem',
    isExtra: true,
    cell: ({ figures }) => formatPercent(figures?.cacheHit),
  },
  {
    key: 'size',
    header: 'Size',
    align: 'end',
    width: '9rem',
    cell: ({ figures }) => (figures === null ? '—' : <SizeShare figures={figures} />),
  },
]

/** Why it needs attention, in the words of its health; since when nothing was measured of one that does not answer. */
function Reason({ database: { status, health, reason, figures } }: { database: Database }) {
  const text =
    status === 'unreachable' && figures !== null
      ? `no data since ${sinceText(figures.at)}`
      : status === 'available'
        ? health.detail
        : reason
  return text === null ? null : (
    <span className="truncate text-text-3" title={text}>
      {text}
    </span>
  )
}

/** "73 % 7.3 GiB": the share of what it may take, where it has a limit. */
function SizeShare({ figures }: { figures: NonNullable<Database['figures']> }) {
  const { sizeBytes, sizeLimitBytes, diskQuota } = figures
  const share =
    diskQuota !== null
      ? diskQuota.usedBytes / diskQuota.limitBytes
      : sizeLimitBytes === null
        ? undefined
        : sizeBytes / sizeLimitBytes
  const [warn, danger] = diskQuotaLimits.warnFrom
  return (
    <span className="whitespace-nowrap" data-live-color="">
      {share === undefined ? null : (
        <span
          className={cx(
            'mr-2',
            share >= danger ? 'text-danger' : share >= warn ? 'text-warn' : 'text-text-3',
          )}
        >
          {Math.floor(share * 100)}%
        </span>
      )}
      {formatBytes(sizeBytes)}
    </span>
  )
}
