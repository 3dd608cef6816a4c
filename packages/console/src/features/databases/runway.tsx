import { type DatabaseGrowth } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'

const width = 104
const height = 16
const lastDay = 90
/** From here on somebody should act, and act now. */
const warnDays = 30
const dangerDays = 7
/** A database that grows less than this a day is not foreseen to be full. */
const leastGrowthBytes = 1024 ** 2

const x = (days: number) => 1 + (Math.min(days, lastDay) / lastDay) * (width - 8)

/** Days until a database is full, on a line of 90 days; dotted where that is not known. */
export function Runway({ growth }: { growth: DatabaseGrowth | undefined }) {
  const isGrowing = growth !== undefined && growth.bytesPerDay >= leastGrowthBytes
  const days = isGrowing ? growth.daysUntilFull : null
  const isNear = days !== null && days <= lastDay
  const tone =
    days === null || days >= warnDays ? 'text-control' : days < dangerDays ? 'text-danger' : 'text-warn'
  const words =
    growth === undefined
      ? 'not known yet'
      : days === null
        ? 'not foreseen to be full'
        : days === 0
          ? 'full within a day'
          : `full in ${formatCount(days, 'day')}`
  const end = isNear ? x(days) : width - 2
  return (
    <span data-live-color="" data-tooltip={words} className={cx('relative block', tone)} style={{ width }}>
      <span className="sr-only">{words}</span>
      <svg width={width} height={height} aria-hidden className="block">
        {[30, 60, 90].map((day) => (
          <path key={day} d={`M${x(day)} 1V${height - 1}`} className="stroke-line" />
        ))}
        <path d="M1 3V13" className="stroke-control" />
        <path
          d={`M1 8H${end}`}
          stroke="currentColor"
          strokeWidth={growth === undefined ? 1 : 2}
          strokeDasharray={growth === undefined ? '1 3' : undefined}
        />
        {growth === undefined ? null : isNear ? (
          <path d={`M${end} 3V13`} stroke="currentColor" strokeWidth={2} />
        ) : (
          <path
            d={`M${end - 4} 4L${end} 8L${end - 4} 12`}
            fill="none"
            stroke="currentColor"
            strokeWidth={1.5}
          />
        )}
      </svg>
      {isNear && days < warnDays ? (
        <span className="absolute top-0 text-small leading-4 tabular-nums" style={{ left: end + 6 }}>
          {days === 0 ? '< 1 day' : formatCount(days, 'day')}
        </span>
      ) : null}
    </span>
  )
}
