import type { ServiceRow, ServiceStrips } from '@bey/contract'
import { useMemo, useState } from 'react'
import { useDashboard } from '../../data/analytics.ts'
import { useRead } from '../../data/use-read.ts'
import { chartMarks } from '../../entities/metrics/service-marks.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'
import { groupMarks } from '../../ui/chart/chart-layout.ts'
import type { ChartMark } from '../../ui/chart/chart-types.ts'
import { MarkLane, MarkLegend, laneHeight } from '../../ui/chart/mark-lane.tsx'
import { TimeAxis } from '../../ui/chart/time-axis.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { HealthStrip } from '../../ui/health-strip.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { TrendLine } from '../../ui/trend-line.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { failingSince, markText, stripText, widerCells } from './service-strip.ts'

/** Recorded every minute. */
const refreshMs = 60_000
/** While something is unknown, such as a cluster that starts. */
const unknownRefreshMs = 10_000
/** While a cluster is shown as silent of which the rest of the page has read already. */
const behindRefreshMs = 1_000

/** Every cluster and service over a day or a week on one axis, under what changed. */
export function AllServices({ hasFigures }: { hasFigures: boolean }) {
  const [hours, setHours] = useState<'24' | '168'>('24')
  const input = { query: { hours: Number(hours) } }
  const strips = useRead('analytics.services', input, { isEnabled: hasFigures, refreshMs })
  const { data } = strips
  const isUnknown = data?.rows.some(({ state }) => state === 'unknown') === true
  useRead('analytics.services', input, {
    isEnabled: hasFigures && isUnknown,
    refreshMs: useIsBehind(data) ? behindRefreshMs : unknownRefreshMs,
  })
  const failure = failureOf('Failed to read the services', strips)
  const marks = useMemo(() => (data ? chartMarks(data) : []), [data])
  return (
    <Section
      title="All services"
      aside={
        <span className="flex flex-wrap items-center gap-3">
          <MarkLegend kinds={[...new Set(marks.map(({ kind }) => kind))]} />
          <Segmented
            label="Time of the services"
            options={[
              { value: '24', label: '24 h' },
              { value: '168', label: '7 d' },
            ]}
            value={hours}
            onChange={setHours}
          />
        </span>
      }
    >
      {failure ? <ErrorState {...failure} isCompact /> : null}
      {data ? <Rows strips={data} marks={marks} /> : null}
      {data || failure ? null : <RowSkeletons />}
    </Section>
  )
}

/** Whether a cluster that did not answer when the services were read has answered since. */
function useIsBehind(strips: ServiceStrips | undefined): boolean {
  const rows = useDashboard().data?.clusterRows ?? []
  const answering = new Set(rows.map(({ id }) => `cluster/${id}`))
  // The row of a cluster that answers has its pods and nodes as detail.
  return strips?.rows.some(({ key, detail }) => detail === '' && answering.has(key)) === true
}

/** Widths from which on a row has its curve, and its strip wide bars. */
const widePx = 1_000
const mediumPx = 720
/** Steps that a narrow row draws as one. */
const narrowSteps = 3

function Rows({ strips, marks }: { strips: ServiceStrips; marks: readonly ChartMark[] }) {
  const [box, width] = useWidth()
  const { rows, clustersLeftOut } = strips
  const range = { fromMs: Date.parse(strips.from), toMs: Date.parse(strips.to) }
  const isNarrow = width < mediumPx
  const pitch = width >= widePx ? 5 : isNarrow ? 3 : 4
  const steps = Math.round((range.toMs - range.fromMs) / strips.stepMs)
  const stripPx = (isNarrow ? Math.ceil(steps / narrowSteps) : steps) * pitch
  const columns = isNarrow
    ? `minmax(0,1fr) ${stripPx}px`
    : width >= widePx
      ? `8.5rem minmax(0,1fr) ${stripPx}px 4.5rem 6.5rem`
      : `8.5rem minmax(0,1fr) ${stripPx}px 6.5rem`
  const xOf = (at: number) => ((at - range.fromMs) / (range.toMs - range.fromMs)) * stripPx
  const sinceMs = failingSince(rows, range.fromMs, strips.stepMs)
  return (
    <div ref={box} className="min-h-40">
      {width === 0 ? null : (
        <>
          {isNarrow ? null : (
            <div className="grid gap-x-4 px-1" style={{ gridTemplateColumns: columns }} aria-hidden>
              <div className="relative col-start-3 overflow-visible">
                <TimeAxis range={range} width={stripPx} />
                <Marks marks={marks} xOf={xOf} range={range} width={stripPx} />
              </div>
            </div>
          )}
          <div className="relative">
            <ul className="divide-y divide-line border-y border-line">
              {rows.map((row) => (
                <li key={row.key}>
                  <Row
                    row={row}
                    columns={columns}
                    pitch={pitch}
                    isNarrow={isNarrow}
                    isWide={width >= widePx}
                  />
                </li>
              ))}
            </ul>
            {sinceMs === undefined || isNarrow ? null : (
              <div
                aria-hidden
                className="pointer-events-none absolute inset-0 grid gap-x-4 px-1"
                style={{ gridTemplateColumns: columns }}
              >
                <div className="relative col-start-3">
                  <span
                    data-live-color=""
                    className="absolute inset-y-0 w-px bg-danger"
                    style={{ left: Math.max(0, Math.round(xOf(sinceMs)) - 1) }}
                  />
                </div>
              </div>
            )}
          </div>
          {clustersLeftOut > 0 ? (
            <Link href="/kubernetes/clusters" className="block pt-1 text-small text-text-2 underline">
              {formatCount(clustersLeftOut, 'more cluster')}
            </Link>
          ) : null}
        </>
      )}
    </div>
  )
}

function Marks({
  marks,
  xOf,
  range,
  width,
}: {
  marks: readonly ChartMark[]
  xOf: (at: number) => number
  range: { fromMs: number; toMs: number }
  width: number
}) {
  const groups = groupMarks(marks, xOf, range)
  return (
    <div className="relative" style={{ height: laneHeight }} data-tooltip-delay="0">
      <MarkLane groups={groups} width={width} />
      {groups.map(({ x, marks: together }) => (
        <span
          key={x}
          className="absolute inset-y-0 w-3 -translate-x-1/2"
          style={{ left: x }}
          data-tooltip={markText(together)}
        />
      ))}
    </div>
  )
}

function Row({
  row,
  columns,
  pitch,
  isNarrow,
  isWide,
}: {
  row: ServiceRow
  columns: string
  pitch: number
  isNarrow: boolean
  isWide: boolean
}) {
  const { name, href, state, trouble, detail, cells, trend, figure } = row
  return (
    <Link
      href={href}
      className={cx(
        'grid min-h-[31px] items-center gap-x-4 px-1 -outline-offset-2 transition-colors duration-75 hover:bg-hover touch:min-h-10',
        isNarrow && 'py-1.5',
      )}
      style={{ gridTemplateColumns: columns }}
    >
      <span className="flex min-w-0 items-center gap-0.5">
        <Status status={state} label="" />
        <span className="sr-only">{state}</span>
        <span className="truncate font-medium" data-tooltip={name}>
          {name}
        </span>
      </span>
      <span
        // Below the name where there is no room for a column.
        className={cx(
          'truncate text-text-2',
          isNarrow && 'col-start-1 row-start-2 pl-5 text-small empty:hidden',
        )}
        data-tooltip={[trouble, detail].filter(Boolean).join(', ')}
      >
        {trouble === null ? null : (
          <span data-live-color="" className={state === 'failing' ? 'text-danger' : 'text-warn'}>
            {trouble}
          </span>
        )}
        {trouble !== null && detail !== '' && !isNarrow ? ', ' : null}
        {trouble !== null && isNarrow ? null : detail}
      </span>
      <span className={isNarrow ? 'col-start-2 row-span-2 row-start-1' : undefined}>
        <HealthStrip
          states={isNarrow ? widerCells(cells, narrowSteps) : cells}
          label={stripText(name, cells)}
          pitch={pitch}
        />
      </span>
      {isWide ? (
        trend === null ? (
          <span />
        ) : (
          <TrendLine values={trend} label={`Trend of ${name}`} className="text-text-2" />
        )
      ) : null}
      {isNarrow ? null : (
        <span className="truncate text-right text-text-2 tabular-nums" data-tooltip={figure ?? undefined}>
          {figure}
        </span>
      )}
    </Link>
  )
}

function RowSkeletons() {
  return (
    <DelayedSkeleton>
      <span className="block divide-y divide-line border-y border-line">
        {[0, 1, 2, 3, 4].map((index) => (
          <span key={index} className="flex h-8 items-center gap-5 px-1">
            <Skeleton className="h-3 w-32" />
            <Skeleton className="h-3 w-64" />
          </span>
        ))}
      </span>
    </DelayedSkeleton>
  )
}
