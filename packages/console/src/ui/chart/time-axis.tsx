import { parseTimeStyle, useTimeStyle } from '../time-style.ts'
import { dayText, shortTime } from '../time-text.ts'
import { timeTicks } from './chart-layout.ts'
import type { ChartRange } from './chart-types.ts'

export const axisHeight = 26
const dayMs = 86_400_000
/** Room of "since 12:04", in which no other time is written. */
const sinceWidth = 84
/** Half the room of a time, and a gap. */
const halfTime = 24

/**
 * Ticks and times under a chart, at round times of the reader's own zone. `sinceMs` is named at the left: nothing was
 * measured before.
 */
export function TimeAxis({
  range,
  width,
  sinceMs,
}: {
  range: ChartRange
  width: number
  sinceMs?: number | undefined
}) {
  const style = useTimeStyle()
  const ticks = timeTicks(range, width, zoneOffsetMs(range.toMs, parseTimeStyle(style).timeZone))
  const xOf = (at: number) => ((at - range.fromMs) / (range.toMs - range.fromMs)) * width
  const sinceX = sinceMs === undefined ? 0 : Math.round(xOf(sinceMs))
  const isSinceBefore = sinceX > width / 2
  const isFree = (x: number) =>
    sinceMs === undefined ||
    (isSinceBefore
      ? x < sinceX - sinceWidth || x > sinceX + halfTime
      : x > sinceX + sinceWidth || x < sinceX - halfTime)
  return (
    <svg width={width} height={axisHeight} aria-hidden className="block overflow-visible">
      <path d={`M0 .5H${width}`} className="stroke-line" />
      {ticks.map(({ at, isLabelled, isDay }) => {
        const x = Math.round(xOf(at)) + 0.5
        return (
          <g key={at}>
            <path d={`M${x} 0V${isLabelled ? 7 : 4}`} className="stroke-line-strong" />
            {isLabelled && isFree(x) ? (
              <text x={x} y={20} textAnchor="middle" className="fill-text-3 text-meta tabular-nums">
                {isDay ? dayText(new Date(at)) : shortTime(new Date(at))}
              </text>
            ) : null}
          </g>
        )
      })}
      {sinceMs === undefined ? null : (
        <text
          x={Math.min(sinceX, width)}
          y={20}
          textAnchor={isSinceBefore ? 'end' : 'start'}
          className="fill-text-2 text-meta tabular-nums"
        >
          since {range.toMs - sinceMs > dayMs ? dayText(new Date(sinceMs)) : shortTime(new Date(sinceMs))}
        </text>
      )}
    </svg>
  )
}

/** How far a zone is ahead of UTC at this time; the device's own by default. */
export function zoneOffsetMs(at: number, timeZone: string | null): number {
  if (timeZone === null) return -new Date(at).getTimezoneOffset() * 60_000
  const wall = new Date(at).toLocaleString('sv-SE', { timeZone })
  return Math.round((Date.parse(`${wall.replace(' ', 'T')}Z`) - at) / 60_000) * 60_000
}
