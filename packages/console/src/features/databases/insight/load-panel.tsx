import { databaseLoad, databaseMetrics, type WaitClass } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { averagesOf, timesOf, useMetrics } from '../../../data/metrics.ts'
import { periodLabels, useChartRange } from '../../../entities/metrics/chart-range.ts'
import { type ChangeMark, useChangeMarks } from '../../../entities/metrics/use-change-marks.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { valueAxis } from '../../../ui/chart/chart-layout.ts'
import type { ChartRange } from '../../../ui/chart/chart-types.ts'
import { cx } from '../../../ui/class-names.ts'
import { Section } from '../../../ui/section.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { dayText, shortTime } from '../../../ui/time-text.ts'
import { useAxisTicks } from '../axis-ticks.ts'
import { loadAreas, loadTop } from './load-areas.ts'
import { LoadMarks } from './load-marks.tsx'
import { waitLooks as waits } from './wait-looks.ts'

const periods = (['1h', '6h', '24h', '7d'] as const).map((value) => ({ value, label: periodLabels[value] }))
const [width, height] = [720, 252]

/** Sessions at work on average, by what they wait for, against the cores of the machine. */
export function LoadPanel({ database }: { database: Database }) {
  const { id } = database
  const range = useChartRange('1h')
  const marks = useChangeMarks(range)
  const [isTable, setTable] = useState(false)
  const cpu = useMetrics(databaseLoad(id, 'cpu', range))
  const io = useMetrics(databaseLoad(id, 'io', range))
  const other = useMetrics(databaseLoad(id, 'other', range))
  const lock = useMetrics(databaseLoad(id, 'lock', range))
  const machine = useMetrics({ ...range, entity: 'database', ids: [id], metrics: [databaseMetrics.cores] })
  const reads = { cpu, io, other, lock }
  const cores =
    averagesOf(machine.data, id, databaseMetrics.cores)?.findLast((value) => value !== null) ?? null
  const series = waits.map(({ key }) => ({
    key,
    values: averagesOf(reads[key].data, id, databaseMetrics.load) ?? [],
  }))
  const times = cpu.data ? timesOf(cpu.data) : []
  const hasValues = series.every(({ values }) => values.length === times.length) && times.length > 0
  const failure = failureOf('Failed to read the load', cpu)
  return (
    <Section
      title="Load, sessions at work"
      aside={
        <span className="flex flex-wrap items-center gap-3">
          <button
            type="button"
            aria-pressed={isTable}
            disabled={!hasValues}
            onClick={() => setTable(!isTable)}
            className="h-6 underline disabled:text-text-3 disabled:no-underline hover:not-disabled:text-accent-text touch:h-9"
          >
            {isTable ? 'Chart' : 'Table'}
          </button>
          <Segmented label="Range" options={periods} value={range.period} onChange={range.choose} />
        </span>
      }
    >
      {failure ? (
        <ErrorState {...failure} isCompact />
      ) : !hasValues ? (
        <p className="flex min-h-24 items-center text-text-2">
          {cpu.data === undefined
            ? ''
            : 'Nothing was measured in this range. The server is sampled once a second while it answers.'}
        </p>
      ) : isTable ? (
        <LoadTable times={times} series={series} />
      ) : (
        <LoadChart
          range={{ fromMs: Date.parse(cpu.data?.from ?? ''), toMs: Date.parse(cpu.data?.to ?? '') }}
          series={series}
          cores={cores}
          marks={marks}
        />
      )}
      <p className="mt-2 text-small text-text-3">
        Seen once a second in pg_stat_activity; sessions that are idle do not count.
      </p>
    </Section>
  )
}

interface LoadProps {
  times: readonly number[]
  series: readonly { key: WaitClass; values: readonly (number | null)[] }[]
}

function LoadChart({
  range,
  series,
  cores,
  marks,
}: Pick<LoadProps, 'series'> & { range: ChartRange; cores: number | null; marks: readonly ChangeMark[] }) {
  const top = loadTop(series, cores)
  const areas = loadAreas(series, top, width, height)
  const lines = valueAxis({ series: [], top }).ticks
  const ticks = useAxisTicks(range)
  return (
    <div className="grid gap-x-3 sm:grid-cols-[minmax(0,1fr)_7rem]">
      <div className="min-w-0">
        <div className="relative ml-7 h-63 border-b border-line-strong">
          {lines.map((value) => (
            <span
              key={value}
              aria-hidden
              style={{ bottom: `${(value / top) * 100}%` }}
              className="absolute inset-x-0 border-t border-line"
            >
              <span className="absolute right-full -translate-y-1/2 pr-1.5 text-meta text-text-3 tabular-nums">
                {formatNumber(value)}
              </span>
            </span>
          ))}
          <svg
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
            role="img"
            aria-label={`Load by what sessions wait for: ${summaryText(areas)}${cores === null ? '' : `, of ${cores} cores`}. The table says each step.`}
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            className="absolute inset-0 size-full"
          >
            {areas.map(({ key, polygons }) =>
              polygons.map((points) => (
                <polygon
                  key={`${key} ${points.slice(0, 20)}`}
                  points={points}
                  className={waits.find((wait) => wait.key === key)?.fill}
                />
              )),
            )}
          </svg>
          {cores === null ? null : (
            <span
              style={{ bottom: `${(cores / top) * 100}%` }}
              className="absolute inset-x-0 border-t border-dashed border-text"
            />
          )}
          <LoadMarks marks={marks} range={range} />
          {/* Above the marks, which would cross the words. */}
          {cores === null ? null : (
            <span
              style={{ bottom: `${(cores / top) * 100}%` }}
              className="pointer-events-none absolute left-0 mb-px bg-bg px-1 text-meta text-text-2"
            >{`${cores} ${cores === 1 ? 'core' : 'cores'}: above this line sessions must wait`}</span>
          )}
        </div>
        <div aria-hidden className="relative ml-7 h-6">
          {ticks.map(({ at, share, isLabelled, isDay }) => (
            <span
              key={at}
              style={{ left: `${share * 100}%` }}
              className={cx('absolute top-0 w-0 border-l border-line-strong', isLabelled ? 'h-1.5' : 'h-1')}
            >
              {isLabelled && share > 0.03 && share < 0.97 ? (
                <span className="absolute top-2 -translate-x-1/2 text-meta text-text-3 tabular-nums">
                  {isDay ? dayText(new Date(at)) : shortTime(new Date(at))}
                </span>
              ) : null}
            </span>
          ))}
        </div>
      </div>
      <ul
        aria-label="Load now"
        className="flex flex-wrap gap-x-4 sm:flex-col-reverse sm:justify-end sm:gap-y-1"
      >
        {areas.map(({ key, last: value }) => {
          const wait = waits.find((each) => each.key === key)
          return (
            <li key={key} className="flex items-center gap-2">
              <span aria-hidden className={`size-2 ${wait?.swatch ?? ''}`} />
              <span className="flex-1">{wait?.label}</span>
              <span className="tabular-nums">{value === null ? '—' : value.toFixed(1)}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

type Step = { at: number; values: Record<WaitClass, number | null> }

function LoadTable({ times, series }: LoadProps) {
  const valueOf = (key: WaitClass, index: number) =>
    series.find((each) => each.key === key)?.values[index] ?? null
  const rows: Step[] = times
    .map((at, index) => ({
      at,
      values: {
        cpu: valueOf('cpu', index),
        io: valueOf('io', index),
        other: valueOf('other', index),
        lock: valueOf('lock', index),
      },
    }))
    .filter(({ values }) => values.cpu !== null)
    .toReversed()
    .slice(0, 60)
  const columns: Column<Step>[] = [
    { key: 'at', header: 'Time', cell: ({ at }) => shortTime(new Date(at)) },
    ...waits.map(({ key, label }): Column<Step> => ({
      key,
      header: label,
      align: 'end',
      cell: ({ values }) => values[key]?.toFixed(2) ?? '—',
    })),
  ]
  return <Table label="Load" columns={columns} rows={rows} rowKey={({ at }) => String(at)} empty={null} />
}

function summaryText(areas: readonly { key: WaitClass; last: number | null }[]): string {
  return areas
    .map(
      ({ key, last }) => `${waits.find((wait) => wait.key === key)?.label ?? key} ${(last ?? 0).toFixed(1)}`,
    )
    .join(', ')
}
