import { databaseConnections, databaseCurves, databaseMetrics } from '@bey/contract'
import type { Database } from '../../data/databases.ts'
import { averagesOf, useMetrics } from '../../data/metrics.ts'
import { useChartRange } from '../../entities/metrics/chart-range.ts'
import { MetricChart } from '../../entities/metrics/metric-chart.tsx'
import { NothingMeasured } from '../../entities/metrics/no-metrics.tsx'
import { formatBytes, formatDuration, formatNumber } from '../../lib/format.ts'
import type { ChartPanel } from '../../ui/chart/chart-types.ts'

const {
  connections,
  connectionsMax,
  connectionsByState,
  waiting,
  transactions,
  rollbacks,
  cacheHit,
  size,
  longestQuery,
  lockWait,
  deadlocks,
  checkpoints,
  temporaryBytes,
  walBytes,
  rowsRead,
  rowsWritten,
} = databaseMetrics

const states = [
  ['active', 'active'],
  ['idle_in_transaction', 'idle in a transaction'],
  ['idle', 'idle'],
] as const

/** What was measured of a database over time, every 15 s. */
export function MetricsTab({ database }: { database: Database }) {
  const { id } = database
  const range = useChartRange('1h')
  const list = useMetrics(databaseCurves(id, range))
  const active = useMetrics(databaseConnections(id, states[0][0], range))
  const inTransaction = useMetrics(databaseConnections(id, states[1][0], range))
  const idle = useMetrics(databaseConnections(id, states[2][0], range))
  const { data } = list
  const lineOf = (metric: string, name: string, from = data) => {
    const values = averagesOf(from, id, metric)
    return values === undefined ? [] : [{ name, values }]
  }
  const count = { height: 120, format: (value: number) => formatNumber(Number(value.toFixed(1))) }
  const connectionPanel: ChartPanel = {
    ...count,
    title: 'Connections by state',
    series: [active, inTransaction, idle].flatMap((read, index) =>
      lineOf(connectionsByState, states[index]?.[1] ?? '', read.data),
    ),
    references: lineOf(connectionsMax, 'limit'),
  }
  const panels: ChartPanel[] = [
    connectionPanel,
    {
      ...count,
      title: 'Transactions a second',
      series: [...lineOf(transactions, 'transactions'), ...lineOf(rollbacks, 'rolled back')],
    },
    { ...count, title: 'Sessions that wait for a lock', series: lineOf(waiting, 'waiting') },
    {
      height: 120,
      title: 'Cache hits',
      top: 105,
      ticks: [0, 50, 100],
      format: (value) => `${Number(value.toFixed(1))}%`,
      series: lineOf(cacheHit, 'of block reads'),
    },
    {
      height: 120,
      title: 'Longest statement',
      format: formatDuration,
      series: lineOf(longestQuery, 'running for'),
    },
    {
      height: 120,
      title: 'Longest wait for a lock',
      format: formatDuration,
      series: lineOf(lockWait, 'waited for'),
    },
    {
      ...count,
      title: 'Rows a second',
      series: [...lineOf(rowsRead, 'fetched'), ...lineOf(rowsWritten, 'written')],
    },
    { height: 120, title: 'WAL a second', base: 2, format: formatBytes, series: lineOf(walBytes, 'written') },
    {
      height: 120,
      title: 'Temporary files a second',
      base: 2,
      format: formatBytes,
      series: lineOf(temporaryBytes, 'written'),
    },
    {
      ...count,
      title: 'Deadlocks and checkpoints a minute',
      series: [...lineOf(deadlocks, 'deadlocks'), ...lineOf(checkpoints, 'checkpoints')],
    },
    { height: 120, title: 'Size', base: 2, format: formatBytes, series: lineOf(size, 'on disk') },
  ]
  const hasAny = lineOf(connections, '').length > 0
  return (
    <div className="px-(--gutter) py-6">
      <MetricChart
        title="Measured every 15 s"
        range={range}
        periods={['1h', '6h', '24h', '7d']}
        list={list}
        panels={hasAny ? panels : panels.map((panel) => ({ ...panel, series: [], references: [] }))}
        empty={<NothingMeasured />}
      />
    </div>
  )
}
