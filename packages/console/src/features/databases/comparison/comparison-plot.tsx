import type { ComparedDatabase, ComparedMetric } from '@bey/contract'
import type { ChangeMark } from '../../../entities/metrics/use-change-marks.ts'
import type { ChartRange } from '../../../ui/chart/chart-types.ts'
import { cx } from '../../../ui/class-names.ts'
import { sinceText } from '../../../ui/time-text.ts'
import { type AxisTick, shareOf } from '../axis-ticks.ts'
import { formatMetric } from './metric-choices.ts'

const height = 44

interface PlotProps {
  row: ComparedDatabase
  metric: ComparedMetric
  /** The value at the top of the row. */
  top: number
  range: ChartRange
  stepMs: number
  ticks: readonly AxisTick[]
  marks: readonly ChangeMark[]
}

/** One database over time: what is usual as a band, what was measured as a line, what is outside in colour. */
export function ComparisonPlot({ row, metric, top, range, stepMs, ticks, marks }: PlotProps) {
  const { values, usual, database, deviations } = row
  const count = values.length
  const y = (value: number) => height - 1 - Math.max(0, Math.min(1, value / top)) * (height - 5)
  const pathOf = (from: number) => {
    let [path, isDrawing] = ['', false]
    for (let step = from; step < count; step += 1) {
      const value = values[step] ?? null
      if (value !== null) path += `${isDrawing ? 'L' : 'M'}${step + 0.5} ${y(value).toFixed(1)}`
      isDrawing = value !== null
    }
    return path
  }
  const last = values.findLastIndex((value) => value !== null)
  const lastValue = values[last] ?? null
  const deviation = deviations.find((each) => each.metric === metric)
  const outsideFrom =
    deviation === undefined || deviation.since === null
      ? count
      : Math.max(0, Math.floor((Date.parse(deviation.since) - range.fromMs) / stepMs) - 1)
  const isSilent = database.status === 'unreachable' || database.status === 'degraded' || row.isOverdue
  const color = deviation?.isSevere ? 'text-danger' : 'text-warn'
  return (
    <span
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
      role="img"
      aria-label={plotText(row, metric)}
      data-live-color=""
      className="relative my-1.5 block"
      style={{ height }}
    >
      {ticks.map(({ at, share, isLabelled }) =>
        isLabelled ? <Upright key={at} share={share} className="border-line" /> : null,
      )}
      {marks.map(({ at, kind }) =>
        kind === 'deploy' ? (
          <Upright key={`${kind} ${at}`} share={shareOf(at, range)} className="border-dotted border-text-2" />
        ) : null,
      )}
      <svg
        aria-hidden
        viewBox={`0 0 ${Math.max(1, count)} ${height}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible"
      >
        {usual === null ? null : <path d={bandPath(usual, y)} className="fill-line-strong opacity-55" />}
        <path
          d={pathOf(0)}
          fill="none"
          vectorEffect="non-scaling-stroke"
          strokeWidth={1.25}
          strokeLinejoin="round"
          className={isSilent ? 'stroke-text-3' : 'stroke-text-2'}
        />
        {outsideFrom < count ? (
          <path
            d={pathOf(outsideFrom)}
            fill="none"
            stroke="currentColor"
            vectorEffect="non-scaling-stroke"
            strokeWidth={2}
            strokeLinejoin="round"
            className={color}
          />
        ) : null}
      </svg>
      {deviation === undefined || lastValue === null ? null : (
        <span
          style={{ left: `${((last + 0.5) / count) * 100}%`, top: y(lastValue) }}
          className={cx('absolute size-1.5 -translate-1/2 rounded-full bg-current', color)}
        />
      )}
      {isSilent && last < count - 1 ? (
        <span
          style={{ left: `${((last + 1) / count) * 100}%` }}
          className="absolute inset-y-0.5 right-0 min-w-2 border border-dashed border-danger"
        />
      ) : null}
    </span>
  )
}

function Upright({ share, className }: { share: number; className: string }) {
  if (share < 0 || share > 1) return null
  return (
    <span style={{ left: `${share * 100}%` }} className={cx('absolute -inset-y-2 w-0 border-l', className)} />
  )
}

type Band = NonNullable<ComparedDatabase['usual']>

/** The area between the edges of the band; hours without a band divide it. */
function bandPath({ low, high }: Band, y: (value: number) => number): string {
  let path = ''
  let from = 0
  for (let step = 0; step <= high.length; step += 1) {
    if (high[step] != null && low[step] != null) continue
    if (step > from) path += areaOf(low, high, from, step, y)
    from = step + 1
  }
  return path
}

function areaOf(
  low: Band['low'],
  high: Band['high'],
  from: number,
  to: number,
  y: (value: number) => number,
) {
  const edge = (values: Band['low'], step: number, share: number, by: number) =>
    `${step + share} ${(y(values[step] ?? 0) + by).toFixed(1)}`
  const steps = Array.from({ length: to - from }, (_, index) => from + index)
  // A band without width is drawn as a line of 3 px, and one step as wide as it is.
  const above = steps.flatMap((step) => [edge(high, step, 0, -1.5), edge(high, step, 1, -1.5)])
  const below = steps.toReversed().flatMap((step) => [edge(low, step, 1, 1.5), edge(low, step, 0, 1.5)])
  return `M${[...above, ...below].join('L')}Z`
}

/** What a row shows, for who does not see it. */
function plotText({ values, usual, database }: ComparedDatabase, metric: ComparedMetric): string {
  const measured = values.filter((value) => value !== null)
  if (measured.length === 0) return `${database.name}: nothing measured in this time`
  const format = (value: number) => formatMetric(metric, value)
  const ends = (all: readonly number[]) => `${format(Math.min(...all))} to ${format(Math.max(...all))}`
  const lows = usual?.low.filter((value) => value !== null) ?? []
  const highs = usual?.high.filter((value) => value !== null) ?? []
  const band = usual === null ? 'usual not known' : `usual ${ends([...lows, ...highs])}`
  return `${database.name}: ${ends(measured)}, ${band}`
}

/** The same in figures. */
export function PlotFigures({
  row,
  metric,
  range,
  stepMs,
}: Pick<PlotProps, 'row' | 'metric' | 'range' | 'stepMs'>) {
  const { values, usual } = row
  const format = (value: number | null | undefined) => (value == null ? '—' : formatMetric(metric, value))
  const measured = values.filter((value) => value !== null)
  const peak = measured.length === 0 ? null : Math.max(...measured)
  const peakAt = new Date(range.fromMs + (values.indexOf(peak) + 0.5) * stepMs)
  const low = usual?.low.findLast((value) => value !== null)
  const high = usual?.high.findLast((value) => value !== null)
  return (
    <span className="grid grid-cols-3 gap-3 tabular-nums">
      <span>
        <span className="text-text-3">now</span> {format(values.findLast((value) => value !== null))}
      </span>
      <span>
        <span className="text-text-3">usual now</span>{' '}
        {low == null || high == null
          ? 'not known'
          : format(low) === format(high)
            ? format(low)
            : `${format(low)}–${format(high)}`}
      </span>
      <span>
        <span className="text-text-3">most</span> {format(peak)}
        {peak === null ? null : <span className="text-text-3"> at {sinceText(peakAt)}</span>}
      </span>
    </span>
  )
}
