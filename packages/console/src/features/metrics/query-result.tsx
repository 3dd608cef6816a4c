import type { MetricQueryResult, MetricUsual } from '@bey/contract'
import { useState } from 'react'
import type { ChartRangeControl, Period } from '../../entities/metrics/chart-range.ts'
import { periodLabels } from '../../entities/metrics/chart-range.ts'
import { baseOf, metricFormat } from '../../entities/metrics/metric-format.ts'
import { NothingMeasured } from '../../entities/metrics/no-metrics.tsx'
import { useChangeMarks } from '../../entities/metrics/use-change-marks.ts'
import { downloadText } from '../../lib/download.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import type { ChartMark } from '../../ui/chart/chart-types.ts'
import { Chart, chartHeight } from '../../ui/chart/chart.tsx'
import { MarkLegend } from '../../ui/chart/mark-lane.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { seriesCsv, seriesNames } from './series-text.ts'
import { SeriesTable } from './series-table.tsx'
import type { MetricQuery } from './use-metric-query.ts'
import { useUsual } from './use-usual.ts'
import { UsualPanel } from './usual-panel.tsx'
import { bandAt } from './usual-text.ts'

const height = 260
const periods: readonly Period[] = ['1h', '6h', '24h', '7d']
/** More names do not fit beside the lines; the table has all of them. */
const maxNamed = 16

/** The answer to the expression: a chart with range and table, and every series with its newest value. */
export function QueryResult({
  expr,
  query,
  range,
  source,
}: {
  expr: string
  query: MetricQuery
  range: ChartRangeControl
  /** Of what is evaluated; undefined: Bey. */
  source: string | undefined
}) {
  const [isTable, setTable] = useState(false)
  const { data } = query
  const failure = failureOf('Failed to evaluate the expression', query)
  const hasNegative =
    data?.series.some(({ values }) => values.some((value) => value !== null && value < 0)) ?? false
  const marks = useChangeMarks({ rangeSeconds: range.rangeSeconds, end: range.end })
  const usual = useUsual(expr, data, range, source)
  const hasSeries = data !== undefined && data.series.length > 0
  return (
    <div className="px-(--gutter) py-4">
      <div className="grid gap-x-8 gap-y-6 min-[87.5rem]:grid-cols-[minmax(0,1fr)_17rem]">
        <Section
          title="Result"
          aside={
            <span className="flex flex-wrap items-center gap-3">
              <MarkLegend kinds={[...new Set(marks.map(({ kind }) => kind))]} />
              {usual.data?.state === 'ready' ? (
                <span className="flex items-center gap-1.5">
                  <span aria-hidden className="h-2.5 w-4 rounded-xs bg-accent-soft" />
                  usual
                </span>
              ) : null}
              {range.zoomOut ? (
                <Button size="small" variant="ghost" onClick={range.zoomOut}>
                  Reset zoom
                </Button>
              ) : null}
              <Button
                size="small"
                variant="ghost"
                disabledReason={data && data.series.length > 0 ? undefined : 'There are no values'}
                onClick={() => data && downloadText('metrics.csv', seriesCsv(data), 'text/csv')}
              >
                CSV
              </Button>
              <Button size="small" variant="ghost" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
                {isTable ? 'Chart' : 'Table'}
              </Button>
              <Segmented
                label="Range"
                options={periods.map((value) => ({ value, label: periodLabels[value] }))}
                value={range.period}
                onChange={range.choose}
              />
            </span>
          }
        >
          <div style={{ minHeight: chartHeight([height]) }} className="flex flex-col">
            {failure ? (
              <ErrorState {...failure} isCompact />
            ) : data === undefined ? null : data.series.length === 0 ? (
              <NothingMeasured what="The expression has no value in this range." />
            ) : (
              <ResultChart
                expr={expr}
                data={data}
                hours={usual.data?.state === 'ready' ? usual.data.hours : undefined}
                range={range}
                marks={marks}
                isTable={isTable || hasNegative}
              />
            )}
          </div>
          {data ? <Notes data={data} hasNegative={hasNegative} /> : null}
        </Section>
        {hasSeries ? <UsualPanel usual={usual} isSeveral={data.series.length > 1} /> : null}
      </div>
      {hasSeries ? <SeriesTable data={data} compared={usual.chosenKey} onCompare={usual.choose} /> : null}
    </div>
  )
}

function ResultChart({
  expr,
  data,
  hours,
  range,
  marks,
  isTable,
}: {
  expr: string
  data: MetricQueryResult
  /** What is usual, of the one series that is compared. */
  hours: MetricUsual['hours'] | undefined
  range: ChartRangeControl
  /** What changed in that time. */
  marks: readonly ChartMark[]
  isTable: boolean
}) {
  const { from, to, stepMs, series, unit } = data
  const fromMs = Date.parse(from)
  const names = seriesNames(series)
  const times = series[0]?.values.map((_, step) => fromMs + step * stepMs) ?? []
  return (
    <Chart
      label={expr}
      times={times}
      range={{ fromMs, toMs: Date.parse(to) }}
      panels={[
        {
          title: expr.length > 100 ? `${expr.slice(0, 99)}…` : expr,
          height,
          base: baseOf(unit),
          format: metricFormat(unit),
          maxNamed,
          series: series.map(({ values }, index) => ({ name: names[index] ?? '', values })),
          ...(hours && { band: bandAt(hours, times) }),
        },
      ]}
      marks={marks}
      isTable={isTable}
      onZoom={range.zoom}
      onZoomOut={range.zoomOut}
    />
  )
}

function Notes({ data, hasNegative }: { data: MetricQueryResult; hasNegative: boolean }) {
  const { seriesCount, series, warnings } = data
  const hidden = seriesCount - series.length
  const notes = [
    ...(hidden > 0
      ? [
          `The ${series.length} highest of ${formatNumber(seriesCount)} series are drawn; ${formatNumber(hidden)} more are not drawn.`,
        ]
      : []),
    ...(hasNegative ? ['Some values are below zero, so they are listed as a table.'] : []),
    ...warnings,
  ]
  return (
    <div aria-live="polite" className="text-small text-text-2">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  )
}
