import { type CallInput, type CallOutput, comparedMetrics, type ComparedMetric } from '@bey/contract'
import { Bell, Database as DatabaseIcon } from 'lucide-react'
import { useState } from 'react'
import { useOrganizationId } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { databaseHref } from '../../entities/databases/database-text.ts'
import { healthOf, HealthSelect } from '../../entities/health/health-select.tsx'
import { type Period, periodLabels, useChartRange } from '../../entities/metrics/chart-range.ts'
import { useChangeMarks } from '../../entities/metrics/use-change-marks.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { oneOf, useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Select } from '../../ui/select.tsx'
import { useIsMobile } from '../../ui/use-is-mobile.ts'
import { useAxisTicks } from './axis-ticks.ts'
import { ComparisonAxis } from './comparison/comparison-axis.tsx'
import { figureColumns, nameColumn, plotColumn } from './comparison/comparison-columns.tsx'
import { ComparisonLegend, type Scale } from './comparison/comparison-legend.tsx'
import { ComparisonPlot, PlotFigures } from './comparison/comparison-plot.tsx'
import { ComparisonSummary } from './comparison/comparison-summary.tsx'
import { axisTop, metricOptions, sharedTop } from './comparison/metric-choices.ts'

type Query = NonNullable<CallInput<'databases.metrics'>['query']>

const periods: readonly Period[] = ['1h', '6h', '24h', '7d', '30d']
/** As often as databases are measured. */
const refreshMs = 15_000

/** One metric of all databases over time against what is usual, a row each, the furthest out first. */
export function DatabaseMetricsPage() {
  const listLocation = useListLocation()
  const range = useChartRange('24h')
  const metric = oneOf(comparedMetrics, listLocation.search.tab) ?? 'load'
  const query = queryOf(listLocation, metric, range)
  const list = useList('databases.metrics', { query }, range.end === undefined ? { refreshMs } : {})
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to compare the databases', list)
  const marks = useChangeMarks(range)
  const [scale, setScale] = useState<Scale>('usual')
  const [isTable, setTable] = useState(false)
  usePageCommands([
    apiCommand('Compare these databases', 'databases.metrics', { query }, useOrganizationId()),
  ])
  const rows = data?.databases
  const fromMs = Date.parse(data?.from ?? '')
  const shownRange = data === undefined ? undefined : { fromMs, toMs: fromMs + data.steps * data.stepMs }
  const ticks = useAxisTicks(shownRange)
  const top = rows && scale === 'shared' ? sharedTop(metric, rows) : undefined
  const columns = [
    nameColumn,
    plotColumn(<ComparisonAxis range={shownRange} ticks={ticks} marks={marks} />, (row) =>
      shownRange === undefined || data === undefined ? null : isTable ? (
        <PlotFigures row={row} metric={metric} range={shownRange} stepMs={data.stepMs} />
      ) : (
        <ComparisonPlot
          row={row}
          metric={metric}
          top={top ?? axisTop(metric, row)}
          range={shownRange}
          stepMs={data.stepMs}
          ticks={ticks}
          marks={marks}
        />
      ),
    ),
    ...figureColumns,
  ]
  return (
    <>
      <ListPage
        title="Database Metrics"
        summary={data && <ComparisonSummary summary={data.summary} rows={data.databases} marks={marks} />}
        actions={
          <>
            {range.zoomOut ? (
              <Button variant="ghost" onClick={range.zoomOut}>
                Reset zoom
              </Button>
            ) : null}
            <Segmented
              label="Range"
              options={periods.map((value) => ({ value, label: periodLabels[value] }))}
              value={range.period}
              onChange={range.choose}
            />
            <ButtonLink href="/analytics/alerts" icon={<Bell size={14} aria-hidden />}>
              Alerts
            </ButtonLink>
          </>
        }
        search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
        filters={
          <>
            <MetricChoice
              metric={metric}
              onChange={(next) => listLocation.change({ tab: next === 'load' ? undefined : next })}
            />
            <Select
              aria-label="Scale"
              controlSize="small"
              value={scale}
              options={[
                { value: 'usual', label: 'against the usual' },
                { value: 'shared', label: 'on one scale' },
              ]}
              onChange={(event) => setScale(event.target.value === 'shared' ? 'shared' : 'usual')}
            />
            <HealthSelect listLocation={listLocation} />
          </>
        }
        page={data}
        onPageChange={(page) => listLocation.change({ page })}
        notice={
          data && data.databases.length > 0 ? (
            <ComparisonLegend
              metric={metric}
              scale={scale}
              top={top}
              isTable={isTable}
              onTableChange={setTable}
              marks={marks}
            />
          ) : null
        }
        columns={columns}
        rows={rows}
        rowKey={({ database }) => database.id}
        rowHref={({ database }) => databaseHref(database.id, 'metrics')}
        rowLabel={({ database }) => database.name}
        filter={filterOf(query, listLocation.clear)}
        isRefreshing={isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={
          <EmptyState
            icon={<DatabaseIcon size={24} strokeWidth={1.5} aria-hidden />}
            title="No database yet"
            description="Once there is one, its load, connections and latency are measured every 15 s, and compared with the same hours of the weeks before."
            action={
              <ButtonLink href="/databases/create" variant="primary">
                Create database
              </ButtonLink>
            }
          />
        }
      />
      <ListFoot count={data && footText(data)} keys={footKeys} />
    </>
  )
}

const footKeys = [
  { keys: ['j', 'k'], does: 'rows' },
  { keys: ['↵'], does: 'open' },
]

const footText = ({ databases, total, page, limit }: CallOutput<'databases.metrics'>) =>
  databases.length === 0
    ? undefined
    : `${(page - 1) * limit + 1}–${(page - 1) * limit + databases.length} of ${total}, the furthest out first`

function queryOf(
  listLocation: ReturnType<typeof useListLocation>,
  metric: ComparedMetric,
  { rangeSeconds, end }: ReturnType<typeof useChartRange>,
): Query {
  const { page, q } = listLocation.search
  const health = healthOf(listLocation)
  return {
    metric,
    range: rangeSeconds,
    ...(end !== undefined && { end }),
    ...(page !== undefined && { page }),
    ...(q !== undefined && { search: q }),
    ...(health && { health }),
  }
}

function filterOf({ search, health }: Query, onClear: () => void) {
  const words = [search, health].filter(Boolean).join(' · ')
  return words === '' ? undefined : { query: words, onClear }
}

function MetricChoice({
  metric,
  onChange,
}: {
  metric: ComparedMetric
  onChange: (metric: ComparedMetric) => void
}) {
  const isMobile = useIsMobile()
  return isMobile ? (
    <Select
      aria-label="Metric"
      controlSize="small"
      value={metric}
      options={metricOptions}
      onChange={(event) => onChange(oneOf(comparedMetrics, event.target.value) ?? 'load')}
    />
  ) : (
    <Segmented label="Metric" options={metricOptions} value={metric} onChange={onChange} />
  )
}
