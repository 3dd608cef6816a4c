import { useRef } from 'react'
import type { AlertReplay } from '../../data/alerts.ts'
import { groupMarks } from '../../ui/chart/chart-layout.ts'
import type { ChartMark } from '../../ui/chart/chart-types.ts'
import { laneHeight, MarkLane } from '../../ui/chart/mark-lane.tsx'
import { useTimeStyle } from '../../ui/time-style.ts'
import { dayText, shortTime } from '../../ui/time-text.ts'
import { useWidth } from '../../ui/use-width.ts'
import { linePath, scaleOf } from './replay-scale.ts'

const height = 260
const bottom = 24
/** Beside the lines: the values of the axis, and the handle of the limit. A narrow chart has it on the line. */
const wide = { left: 64, right: 96 }
const narrow = { left: 44, right: 8 }
const leastWidePx = 480

export interface ReplayChartProps {
  replay: AlertReplay
  /** Undefined where the condition has none. */
  limit: number | undefined
  format: (value: number) => string
  /** What changed in the time that is replayed. */
  marks: readonly ChartMark[]
  /** Moves the limit; undefined where the reader may not. */
  onLimit?: ((limit: number) => void) | undefined
}

/** Values of the past against the limit, which can be dragged, with a mark below each time that it would have fired. */
export function ReplayChart(props: ReplayChartProps) {
  const [box, width] = useWidth()
  return (
    <div ref={box} style={{ minHeight: height }}>
      {width > 0 ? <Drawing {...props} width={width} /> : null}
    </div>
  )
}

function Drawing({ replay, limit, format, marks, onLimit, width }: ReplayChartProps & { width: number }) {
  useTimeStyle()
  const svg = useRef<SVGSVGElement>(null)
  const { times, series, episodes } = replay
  const { most, least, ticks } = scaleOf(series, limit)
  const isWide = width >= leastWidePx
  const { left, right } = isWide ? wide : narrow
  const end = width - right
  const from = times[0] ?? 0
  const to = times.at(-1) ?? 1
  const x = (seconds: number) => left + ((seconds - from) / Math.max(1, to - from)) * (end - left)
  const y = (value: number) => 8 + (1 - (value - least) / (most - least)) * (height - bottom - 16)
  const days = [0.1, 0.35, 0.6, 0.85].map((share) => new Date((from + share * (to - from)) * 1_000))
  const groups = groupMarks(marks, (ms) => x(ms / 1_000), { fromMs: from * 1_000, toMs: to * 1_000 })
  const drag = (clientY: number) => {
    const top = svg.current?.getBoundingClientRect().top ?? 0
    const share = 1 - (clientY - top - 8) / (height - bottom - 16)
    onLimit?.(Number((least + Math.min(1, Math.max(0, share)) * (most - least)).toPrecision(2)))
  }
  return (
    <div className="relative" style={{ height }}>
      <svg ref={svg} aria-hidden width={width} height={height} className="block">
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={left} x2={end} y1={y(tick)} y2={y(tick)} className="stroke-line" />
            <text x={left - 8} y={y(tick) + 4} textAnchor="end" className="fill-text-2 text-[11px]">
              {format(tick)}
            </text>
          </g>
        ))}
        {days.map((day) => (
          <text
            key={day.getTime()}
            x={x(day.getTime() / 1_000)}
            y={height - 6}
            textAnchor="middle"
            className="fill-text-2 text-[11px]"
          >
            {replay.days === 1 ? shortTime(day) : dayText(day)}
          </text>
        ))}
        {groups
          .filter(({ marks: changes }) => changes.some(({ kind }) => kind === 'deploy' || kind === 'failure'))
          .map((group) => (
            <line
              key={group.x}
              x1={group.x}
              x2={group.x}
              y1={laneHeight / 2}
              y2={height - bottom}
              strokeDasharray="2 2"
              className={
                group.marks.some(({ kind }) => kind === 'failure') ? 'stroke-danger' : 'stroke-text-3'
              }
            />
          ))}
        {series.toReversed().map(({ labels, values }, index) => (
          <path
            key={JSON.stringify(labels)}
            d={linePath(times, values, x, y)}
            fill="none"
            strokeWidth={1.5}
            className={index === series.length - 1 ? 'stroke-chart-1' : 'stroke-control max-sm:hidden'}
          />
        ))}
        {limit === undefined ? null : (
          <line x1={left} x2={end} y1={y(limit)} y2={y(limit)} strokeWidth={1.5} className="stroke-text" />
        )}
        {episodes.map((episode) => (
          <rect
            key={`${episode.from}${JSON.stringify(episode.labels)}`}
            x={x(Date.parse(episode.from) / 1_000) - 3}
            y={height - bottom - 7}
            width={7}
            height={7}
            className={episode.to === null ? 'fill-danger' : 'fill-warn'}
          />
        ))}
      </svg>
      <div className="pointer-events-none absolute top-0 left-0">
        <MarkLane groups={groups} width={width} />
      </div>
      {limit === undefined ? null : (
        <span
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native slider cannot follow the line of the chart
          role="slider"
          tabIndex={onLimit ? 0 : -1}
          aria-label="Limit"
          aria-orientation="vertical"
          aria-valuenow={limit}
          aria-valuemin={least}
          aria-valuemax={most}
          aria-valuetext={format(limit)}
          aria-disabled={onLimit === undefined}
          style={isWide ? { top: y(limit) - 11, left: end + 4 } : { top: Math.max(0, y(limit) - 24), right }}
          className="absolute flex h-5.5 min-w-20 cursor-ns-resize touch-none items-center justify-center rounded-control bg-text px-1.5 text-small text-bg tabular-nums select-none"
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => (event.buttons === 1 ? drag(event.clientY) : undefined)}
          onKeyDown={(event) => {
            const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
            if (direction === 0) return
            event.preventDefault()
            onLimit?.(Number((limit + (direction * (most - least)) / 50).toPrecision(3)))
          }}
        >
          ↕ {format(limit)}
        </span>
      )}
    </div>
  )
}
