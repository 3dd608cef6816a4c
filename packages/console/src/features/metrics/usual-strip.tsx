import type { MetricUsual } from '@bey/contract'

const width = 272
const height = 92
const axisY = 72
const inset = 8

/** The weeks before as dots on one axis, the band that they make, and the newest value. What it shows is said above it. */
export function UsualStrip({
  newest: { value, usual, isUnusual, weeks },
  format,
}: {
  newest: NonNullable<MetricUsual['newest']>
  format: (value: number) => string
}) {
  const past = weeks.filter((each) => each !== null)
  const ends = [...past, value, usual.low, usual.high]
  const least = Math.min(...ends)
  const span = Math.max(...ends) - least || Math.abs(value) || 1
  const x = (each: number) => inset + ((each - least) / span) * (width - 2 * inset)
  const isRight = x(value) > width / 2
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden className="mt-2 w-full max-w-72 text-meta">
      <rect
        x={x(usual.low)}
        y={18}
        width={Math.max(2, x(usual.high) - x(usual.low))}
        height={axisY - 18}
        className="fill-accent-soft"
      />
      <line x1={x(usual.median)} x2={x(usual.median)} y1={18} y2={axisY} className="stroke-accent" />
      <text
        x={x(usual.median) > width / 2 ? x(usual.high) : x(usual.low)}
        y={11}
        textAnchor={x(usual.median) > width / 2 ? 'end' : 'start'}
        className="fill-text-2"
      >
        usual {format(usual.low)} to {format(usual.high)}
      </text>
      {past.map((each, index) => (
        <circle key={index} cx={x(each)} cy={26 + (index % 4) * 10} r={3.5} className="fill-text-3" />
      ))}
      <line x1={0} x2={width} y1={axisY} y2={axisY} className="stroke-line-strong" />
      <circle cx={x(value)} cy={axisY - 8} r={4.5} className={isUnusual ? 'fill-danger' : 'fill-accent'} />
      <text
        x={x(value)}
        y={axisY + 15}
        textAnchor={isRight ? 'end' : 'start'}
        className={isUnusual ? 'fill-danger' : 'fill-text'}
      >
        now {format(value)}
      </text>
    </svg>
  )
}
