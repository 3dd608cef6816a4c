import type { SqlResult } from '@bey/contract'
import { lazy, Suspense, useMemo } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { ResultSeries } from './result-chart.ts'
import { chartOf } from './result-chart.ts'

const Chart = lazy(async () => ({ default: (await import('../../../ui/chart/chart.tsx')).Chart }))

const panelHeight = 140

/** A result as a picture: lines over time, or bars by name. Its table is the view Result. */
export function ResultChartView({ result }: { result: SqlResult }) {
  const chart = useMemo(() => chartOf(result), [result])
  if (chart.kind === 'none')
    return <EmptyState title="This result suits no chart" description={chart.reason} />
  return (
    <div className="flex flex-col gap-2 px-(--gutter) py-4">
      {result.isTruncated ? (
        <p className="text-small text-warn">
          {`Only the ${formatNumber(result.rows.length)} rows that were read are drawn.`}
        </p>
      ) : null}
      {chart.kind === 'time' ? (
        <Suspense fallback={<div style={{ height: chart.series.length * panelHeight }} />}>
          <Chart
            label={`${chart.series.map(({ name }) => name).join(', ')} by ${chart.axis}`}
            times={chart.times}
            range={{
              fromMs: chart.times[0] ?? 0,
              toMs: (chart.times.at(-1) ?? 0) + chart.stepMs,
            }}
            panels={chart.series.map((series) => ({
              title: series.name,
              height: panelHeight,
              series: [series],
              format,
            }))}
          />
        </Suspense>
      ) : (
        chart.series.map((series) => (
          <Bars key={series.name} axis={chart.axis} names={chart.names} series={series} />
        ))
      )}
    </div>
  )
}

/** One bar for each row, from zero, with its value. */
function Bars({ axis, names, series }: { axis: string; names: readonly string[]; series: ResultSeries }) {
  const values = series.values.map((value) => value ?? 0)
  const low = Math.min(0, ...values)
  const span = Math.max(0, ...values) - low || 1
  const share = (value: number) => ((value - low) / span) * 100
  return (
    <section aria-label={`${series.name} by ${axis}`} className="max-w-4xl pb-3">
      <h3 className="pb-1 text-small text-text-2">
        <span className="font-medium text-text">{series.name}</span> by {axis}
      </h3>
      <ul>
        {series.values.map((value, index) => (
          <li
            // Two rows may have the same name.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            className="grid min-h-6 grid-cols-[minmax(5rem,14rem)_minmax(0,1fr)_auto] items-center gap-3"
          >
            <span className="truncate text-right text-small" title={names[index]}>
              {names[index]}
            </span>
            <span aria-hidden className="relative h-3">
              <span
                style={{
                  left: `${share(Math.min(0, value ?? 0))}%`,
                  width: `${Math.abs(share(value ?? 0) - share(0))}%`,
                }}
                className="absolute inset-y-0 min-w-px bg-chart-1"
              />
            </span>
            <span className="min-w-16 text-right text-small tabular-nums">
              {value === null ? '—' : format(value)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const format = (value: number) => formatNumber(Number(value.toPrecision(6)))
