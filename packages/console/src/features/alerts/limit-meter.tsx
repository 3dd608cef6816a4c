import { limitOf } from '@bey/contract/alerts/rules'
import type { Alert } from '../../data/alerts.ts'
import { cx } from '../../ui/class-names.ts'
import { judgedUnit, unitText } from '../../entities/alerts/alert-text.ts'

const width = 64

/** The worst value beside its limit: a bar with a tick where the alert begins to fire. */
export function LimitMeter({ alert }: { alert: Alert }) {
  const { worst, state, condition, severity } = alert
  const limit = limitOf(condition)
  const value = worst?.value ?? null
  const unit = judgedUnit(alert)
  const tone = state === 'firing' ? (severity === 'critical' ? 'text-danger' : 'text-warn') : 'text-text'
  const text = <span className={cx('tabular-nums', tone)}>{unitText(value, unit)}</span>
  if (limit === undefined || value === null || value < 0 || limit < 0) return text
  const most = Math.max(value, limit) * 1.25 || 1
  const at = (each: number) => Math.round((each / most) * width)
  return (
    <span className="inline-flex items-center justify-end gap-2">
      {text}
      <svg
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
        role="img"
        aria-label={`limit ${unitText(limit, unit)}`}
        width={width}
        height={12}
        className={cx('block shrink-0', state === 'firing' ? tone : 'text-text-3')}
      >
        <rect y={4} width={width} height={4} rx={2} className="fill-active" />
        <rect y={4} width={at(value)} height={4} rx={2} fill="currentColor" />
        <rect x={at(limit)} width={2} height={12} className="fill-text" />
      </svg>
    </span>
  )
}
