import { cx } from './class-names.ts'

export interface TrendLineProps {
  /** Shares (0–1) of equal spans of time, the present one last; null is a gap. */
  values: readonly (number | null)[]
  /** What it says, in words; who does not see the line reads it. */
  label: string
  /** Of tokens `--chart-1` to `--chart-6`. */
  tone?: number
  className?: string
}

const width = 72
const height = 24
/** Every line is on this one scale: rows are compared with each other. */
const topShare = 0.8
const dot = 2

/** A share over time, 72 × 24, never scaled to itself. Gaps stay gaps. */
export function TrendLine({ values, label, tone = 1, className }: TrendLineProps) {
  const xOf = (index: number) => (values.length < 2 ? 0 : (index / (values.length - 1)) * (width - 2 * dot))
  const yOf = (value: number) => height - 1.5 - (Math.min(value, topShare) / topShare) * (height - 3.5)
  let path = ''
  let isDrawing = false
  for (const [index, value] of values.entries()) {
    if (value !== null) path += `${isDrawing ? 'L' : 'M'}${xOf(index).toFixed(1)} ${yOf(value).toFixed(1)}`
    isDrawing = value !== null
  }
  const last = values.findLastIndex((value) => value !== null)
  const lastValue = values[last]
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
      role="img"
      data-live-color=""
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      style={{ color: `var(--chart-${tone})` }}
      className={cx('block shrink-0', className)}
    >
      <path d={`M0 ${height - 0.5}H${width}`} className="stroke-line" />
      <path d={path} fill="none" stroke="currentColor" strokeWidth={1.25} strokeLinejoin="round" />
      {lastValue == null ? null : <circle cx={xOf(last)} cy={yOf(lastValue)} r={dot} fill="currentColor" />}
    </svg>
  )
}
