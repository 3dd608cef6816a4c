import { cx } from './class-names.ts'

export interface SparklineProps {
  /** Counts of equal spans of time, the present one last. */
  values: readonly number[]
  /** What they say, in words; who does not see the bars reads it. */
  label: string
  width?: number
  height?: number
  className?: string
}

const gap = 1

/** Counts over time as bars. Nothing is a hairline, so that an empty span is seen to be one. */
export function Sparkline({ values, label, width = 96, height = 20, className }: SparklineProps) {
  const most = Math.max(1, ...values)
  const step = width / values.length
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
      role="img"
      data-live-color=""
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      // Stretched to its room: bars have no proportions to keep.
      preserveAspectRatio="none"
      className={cx('block max-w-full', className)}
    >
      {values.map((value, index) => {
        const barHeight = value === 0 ? 1 : Math.max(2, (value / most) * height)
        return (
          <rect
            // Bars have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            x={index * step}
            y={height - barHeight}
            width={Math.max(1, step - gap)}
            height={barHeight}
            className={value === 0 ? 'fill-line-strong' : 'fill-chart-1'}
          />
        )
      })}
    </svg>
  )
}
