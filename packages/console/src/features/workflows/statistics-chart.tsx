import type { CallOutput } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'

type Day = CallOutput<'workflows.statistics'>['days'][number]

const width = 384
const height = 64
const chartClass = 'mb-3 block h-16 w-full border-b border-line'

/** The room of the bars while they are read. */
export function StatisticsChartSpace() {
  return <div className={chartClass} />
}

/** Runs a day as bars: what failed is drawn above what succeeded. */
export function StatisticsChart({ days }: { days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ succeeded, failed, other }) => succeeded + failed + other))
  const pitch = width / days.length
  const failed = days.reduce((sum, day) => sum + day.failed, 0)
  const all = days.reduce((sum, day) => sum + day.succeeded + day.failed + day.other, 0)
  const first = days[0]?.day ?? ''
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
      role="img"
      data-live-color=""
      aria-label={`${formatCount(all, 'run')} since ${first}, of which ${failed} failed`}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className={chartClass}
    >
      {days.map((day, index) => {
        const bottom = ((day.succeeded + day.other) / most) * height
        const top = (day.failed / most) * height
        const x = index * pitch
        return (
          <g key={day.day}>
            <rect
              x={x}
              y={height - bottom}
              width={pitch * 0.7}
              height={bottom}
              className="fill-line-strong"
            />
            <rect x={x} y={height - bottom - top} width={pitch * 0.7} height={top} className="fill-danger" />
          </g>
        )
      })}
    </svg>
  )
}
