import { cx } from './class-names.ts'

export interface MeterProps {
  label: string
  used: number
  total: number
  /** Makes figures readable: `formatBytes`, `formatCpu`. */
  format: (value: number) => string
  /** From this share (0–1) on the bar warns. Default 0.85. */
  warnAt?: number
}

/** Used of total, as words and as a bar. */
export function Meter({ label, used, total, format, warnAt = 0.85 }: MeterProps) {
  const share = total > 0 ? Math.min(1, used / total) : 0
  const isTight = share >= warnAt
  const text = total > 0 ? `${format(used)} of ${format(total)}` : 'none available'
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span>{label}</span>
        <span className="text-small text-text-2 tabular-nums">
          {text}
          {isTight ? <span className="ml-1.5 text-warn">{Math.floor((used / total) * 100)}%</span> : null}
        </span>
      </div>
      <div
        // The native element cannot be styled alike in all browsers.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={Math.min(used, total)}
        aria-valuetext={text}
        data-live-color=""
        className="h-1 overflow-hidden rounded-full bg-active"
      >
        <div
          className={cx('h-full rounded-full', isTight ? 'bg-warn' : 'bg-chart-1')}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  )
}
