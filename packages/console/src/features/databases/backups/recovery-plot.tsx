import type { DatabaseRecoverableWindow } from '@bey/contract'
import { useId, useState } from 'react'
import { absent, formatDuration } from '../../../lib/format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Table } from '../../../ui/table.tsx'
import type { Column } from '../../../ui/table.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { useWidth } from '../../../ui/use-width.ts'
import { measuredText, recoveryLines, type TimePoint, timeGrid } from './recovery-text.ts'

export interface RecoveryPlotProps {
  window: DatabaseRecoverableWindow
  range: { fromMs: number; toMs: number }
  /** The chosen moment, in ms since 1970. */
  atMs: number | undefined
  /** Within how many minutes the database is promised to be back; null: nothing is promised. */
  recoveryTimeMinutes: number | null
}

type Line = { id: string; points: TimePoint[] }

/** A base backup a row: the time grows from right after it until the next one. */
const columns: readonly Column<Line>[] = [
  { key: 'backup', header: 'From the backup of', cell: ({ points }) => momentOf(points[0]) },
  {
    key: 'after',
    header: 'Right after it',
    align: 'end',
    width: '8rem',
    cell: ({ points }) => timeOf(points[0]),
  },
  { key: 'until', header: 'Until', cell: ({ points }) => momentOf(points.at(-1)) },
  { key: 'last', header: 'Then', align: 'end', width: '8rem', cell: ({ points }) => timeOf(points.at(-1)) },
]

const momentOf = (point: TimePoint | undefined) => (point ? momentText(new Date(point.atMs)) : absent)
const timeOf = (point: TimePoint | undefined) => formatDuration(point?.backMs)

const plotHeight = 112
/** Room above the plot, for the uppermost time. */
const topRoom = 18

/**
 * How long it takes to be back at any moment: WAL makes it grow, a base backup begins it anew. Says so where no drill has
 * measured it.
 */
export function RecoveryPlot(props: RecoveryPlotProps) {
  const { recovery } = props.window
  const lines = recoveryLines(recovery)
  const text = measuredText(recovery)
  if (lines === undefined) return <p className="text-text-2">{text}</p>
  return <Plot {...props} lines={lines} text={text} />
}

function Plot({
  window,
  range,
  atMs,
  recoveryTimeMinutes,
  lines,
  text,
}: RecoveryPlotProps & { lines: readonly Line[]; text: string }) {
  const aboveId = useId()
  const [isTable, setTable] = useState(false)
  const [box, width] = useWidth()
  const { fromMs, toMs } = range
  const xOf = (ms: number) => ((ms - fromMs) / (toMs - fromMs)) * width
  const shown = lines.flatMap(({ id, points }) => {
    const last = points.at(-1)
    return last === undefined || last.atMs < fromMs ? [] : [{ id, points }]
  })
  const longestMs = Math.max(0, ...shown.flatMap(({ points }) => points.map(({ backMs }) => backMs)))
  const promiseMs = recoveryTimeMinutes === null ? undefined : recoveryTimeMinutes * 60_000
  // A promise far above would press the lines flat: it is said then, not drawn.
  const isDrawn = promiseMs !== undefined && promiseMs <= 3 * longestMs
  const grid = timeGrid(isDrawn ? Math.max(longestMs, promiseMs) : longestMs)
  const top = grid.at(-1) ?? 1
  const yOf = (backMs: number) => topRoom + plotHeight - (backMs / top) * plotHeight
  const floor = yOf(0)
  const promiseY = isDrawn ? yOf(promiseMs) : undefined
  return (
    <figure className="min-w-0">
      <figcaption className="mb-1 flex flex-wrap items-baseline justify-between gap-x-4 text-small">
        <span className="font-medium">How long it takes to be back at any moment</span>
        <span className="flex flex-wrap items-center gap-x-2 text-text-2">
          {promiseMs !== undefined && !isDrawn
            ? `Promised: ${recoveryTimeMinutes} min, above this scale.`
            : null}{' '}
          {text}
          <button
            type="button"
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
            className="h-6 underline hover:text-accent-text touch:h-9"
          >
            {isTable ? 'Chart' : 'Table'}
          </button>
        </span>
      </figcaption>
      {isTable ? (
        <Table
          label="Time to be back"
          columns={columns}
          rows={shown.toReversed()}
          rowKey={({ id }) => id}
          empty={<EmptyState title="No moment can be restored" description="Choose a longer time." />}
        />
      ) : null}
      <div ref={box} className={isTable ? 'hidden' : 'overflow-hidden'}>
        <svg width={width} height={topRoom + plotHeight + 1} aria-hidden className="block">
          {promiseY === undefined ? null : (
            <clipPath id={aboveId}>
              <rect x={0} y={0} width={width} height={promiseY} />
            </clipPath>
          )}
          {shown.map(({ id, points }) => {
            const path = points.map(({ atMs: ms, backMs }) => `${xOf(ms)} ${yOf(backMs)}`).join('L')
            const [first, last] = [points[0], points.at(-1)]
            if (first === undefined || last === undefined) return null
            return (
              <g key={id}>
                <path
                  d={`M${xOf(first.atMs)} ${floor}L${path}L${xOf(last.atMs)} ${floor}Z`}
                  className="fill-accent-soft"
                />
                <path d={`M${path}`} fill="none" strokeWidth={1.5} className="stroke-chart-1" />
                {promiseY === undefined ? null : (
                  <g clipPath={`url(#${aboveId})`}>
                    <path
                      d={`M${xOf(first.atMs)} ${floor}L${path}L${xOf(last.atMs)} ${floor}Z`}
                      fillOpacity={0.35}
                      className="fill-warn"
                    />
                    <path d={`M${path}`} fill="none" strokeWidth={2} className="stroke-warn" />
                  </g>
                )}
              </g>
            )
          })}
          {window.gaps.map(({ from, to }) => {
            const x = xOf(Date.parse(from))
            return (
              <rect
                key={from}
                x={x}
                y={topRoom}
                width={Math.max(3, xOf(Date.parse(to)) - x)}
                height={plotHeight}
                className="fill-danger"
              />
            )
          })}
          {grid.map((each) => (
            <g key={each}>
              <path d={`M0 ${Math.round(yOf(each)) + 0.5}H${width}`} className="stroke-line" />
              <text x={0} y={yOf(each) - 3} className="fill-text-3 text-meta tabular-nums">
                {each === 0 ? '' : formatDuration(each)}
              </text>
            </g>
          ))}
          {promiseY === undefined || promiseMs === undefined ? null : (
            <g data-promise="">
              <path d={`M0 ${promiseY}H${width}`} strokeDasharray="4 3" className="stroke-text-2" />
              <text x={width - 4} y={promiseY - 4} textAnchor="end" className="fill-text-2 text-meta">
                {`promised: ${recoveryTimeMinutes} min`}
              </text>
            </g>
          )}
          {atMs !== undefined && atMs >= fromMs && atMs <= toMs ? (
            <path d={`M${xOf(atMs)} ${topRoom}V${floor}`} strokeWidth={1.5} className="stroke-accent" />
          ) : null}
        </svg>
      </div>
    </figure>
  )
}
