import {
  databaseConnections,
  databaseCurves,
  databaseMetrics,
  engineFamily,
  type EngineFamily,
} from '@bey/contract'
import { BellPlus } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '../../data/databases.ts'
import { averagesOf, useMetrics } from '../../data/metrics.ts'
import { useChartRange } from '../../entities/metrics/chart-range.ts'
import { useChangeMarks } from '../../entities/metrics/use-change-marks.ts'
import { MetricChart } from '../../entities/metrics/metric-chart.tsx'
import { NothingMeasured } from '../../entities/metrics/no-metrics.tsx'
import { formatBytes, formatDuration, formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import type { ChartPanel } from '../../ui/chart/chart-types.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { databaseAlerts } from './database-alerts.ts'

const {
  connections,
  connectionsMax,
  connectionsByState,
  waiting,
  transactions,
  rollbacks,
  statements,
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

const dayMs = 86_400_000

/** The metric of the first curve of each panel, which is compared with the day before. */
const firstOf: Readonly<Record<string, string>> = {
  'Connections by state': connections,
  Connections: connections,
  'Transactions a second': transactions,
  'Statements a second': statements,
  'Commands a second': statements,
  'Sessions that wait for a lock': waiting,
  'Clients in a command that blocks': waiting,
  'Cache hits': cacheHit,
  Hits: cacheHit,
  'Longest statement': longestQuery,
  'Longest wait for a lock': lockWait,
  'Rows a second': rowsRead,
  'WAL a second': walBytes,
  'Redo log a second': walBytes,
  'Temporary files a second': temporaryBytes,
  'Deadlocks and checkpoints a minute': deadlocks,
  Size: size,
  Memory: size,
}

/** What each engine is asked for. */
const panelsOf: Readonly<Record<EngineFamily, readonly string[]>> = {
  postgres: [
    'byState',
    'transactions',
    'waiting',
    'cacheHit',
    'longest',
    'lockWait',
    'rows',
    'wal',
    'temporary',
    'deadlocks',
    'size',
  ],
  mysql: ['byState', 'statements', 'waiting', 'cacheHit', 'longest', 'rows', 'wal', 'size'],
  redis: ['connections', 'statements', 'blocked', 'cacheHit', 'size'],
}

/** What was measured of a database over time, every 15 s. */
export function MetricsTab({ database }: { database: Database }) {
  const { id, engine } = database
  const family = engineFamily(engine)
  const range = useChartRange('1h')
  const list = useMetrics(databaseCurves(id, range))
  const active = useMetrics(databaseConnections(id, states[0][0], range))
  const inTransaction = useMetrics(databaseConnections(id, states[1][0], range))
  const idle = useMetrics(databaseConnections(id, states[2][0], range))
  const { data } = list
  const marks = useChangeMarks(range)
  const [isCompared, setCompared] = useState(false)
  const dayBefore = useMetrics(
    databaseCurves(id, {
      rangeSeconds: range.rangeSeconds,
      end: new Date(Date.parse(data?.to ?? '') - dayMs || 0).toISOString(),
    }),
    isCompared && data !== undefined,
  )
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
  const small = { height: 120 }
  /** The first curve of a panel as it was a day before, dashed. */
  const withDayBefore = (panel: ChartPanel): ChartPanel => {
    const metric = firstOf[panel.title] ?? ''
    const [line] = lineOf(metric, 'the day before', dayBefore.data)
    return line === undefined ? panel : { ...panel, references: [...(panel.references ?? []), line] }
  }
  const ofAll: Record<string, ChartPanel> = {
    byState: connectionPanel,
    connections: {
      ...count,
      title: 'Connections',
      series: lineOf(connections, 'open'),
      references: lineOf(connectionsMax, 'limit'),
    },
    transactions: {
      ...count,
      title: 'Transactions a second',
      series: [...lineOf(transactions, 'transactions'), ...lineOf(rollbacks, 'rolled back')],
    },
    statements: {
      ...count,
      title: family === 'redis' ? 'Commands a second' : 'Statements a second',
      series: lineOf(statements, family === 'redis' ? 'commands' : 'statements'),
    },
    waiting: { ...count, title: 'Sessions that wait for a lock', series: lineOf(waiting, 'waiting') },
    blocked: { ...count, title: 'Clients in a command that blocks', series: lineOf(waiting, 'blocked') },
    cacheHit: {
      ...small,
      title: family === 'redis' ? 'Hits' : 'Cache hits',
      top: 105,
      ticks: [0, 50, 100],
      format: (value) => `${Number(value.toFixed(1))}%`,
      series: lineOf(cacheHit, family === 'redis' ? 'of key reads' : 'of block reads'),
    },
    longest: {
      ...small,
      title: 'Longest statement',
      format: formatDuration,
      series: lineOf(longestQuery, 'running for'),
    },
    lockWait: {
      ...small,
      title: 'Longest wait for a lock',
      format: formatDuration,
      series: lineOf(lockWait, 'waited for'),
    },
    rows: {
      ...count,
      title: 'Rows a second',
      series: [
        ...lineOf(rowsRead, family === 'mysql' ? 'read' : 'fetched'),
        ...lineOf(rowsWritten, 'written'),
      ],
    },
    wal: {
      ...small,
      title: family === 'mysql' ? 'Redo log a second' : 'WAL a second',
      base: 2,
      format: formatBytes,
      series: lineOf(walBytes, 'written'),
    },
    temporary: {
      ...small,
      title: 'Temporary files a second',
      base: 2,
      format: formatBytes,
      series: lineOf(temporaryBytes, 'written'),
    },
    deadlocks: {
      ...count,
      title: 'Deadlocks and checkpoints a minute',
      series: [...lineOf(deadlocks, 'deadlocks'), ...lineOf(checkpoints, 'checkpoints')],
    },
    size: {
      ...small,
      title: family === 'redis' ? 'Memory' : 'Size',
      base: 2,
      format: formatBytes,
      series: lineOf(size, family === 'redis' ? 'in use' : 'on disk'),
    },
  }
  const panels = panelsOf[family]
    .flatMap((key) => ofAll[key] ?? [])
    .map((panel) => (isCompared ? withDayBefore(panel) : panel))
  const hasAny = lineOf(connections, '').length > 0
  return (
    <div className="px-(--gutter) py-6">
      <MetricChart
        title="Measured every 15 s"
        actions={
          <>
            <Button
              size="small"
              variant="ghost"
              aria-pressed={isCompared}
              onClick={() => setCompared(!isCompared)}
            >
              {isCompared ? 'Without the day before' : 'Compare with the day before'}
            </Button>
            <Menu
              align="end"
              trigger={
                <Button size="small" icon={<BellPlus size={14} aria-hidden />}>
                  Alert…
                </Button>
              }
            >
              {databaseAlerts(database).map(({ label, href }) => (
                <MenuItem key={label} href={href}>
                  {label}
                </MenuItem>
              ))}
            </Menu>
          </>
        }
        marks={marks}
        range={range}
        periods={['1h', '6h', '24h', '7d', '30d']}
        list={list}
        panels={hasAny ? panels : panels.map((panel) => ({ ...panel, series: [], references: [] }))}
        empty={<NothingMeasured />}
      />
    </div>
  )
}
