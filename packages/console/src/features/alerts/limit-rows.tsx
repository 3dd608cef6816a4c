import { suggestedLimit } from '@bey/contract/alerts/replay'
import type { AlertReplay } from '../../data/alerts.ts'
import { cx } from '../../ui/class-names.ts'
import { Section } from '../../ui/section.tsx'
import { formatCount } from '../../lib/format.ts'

/** As many ticks as a row has room for. */
const maxTicks = 30

/** How often each of some limits would have fired: a tall tick for what somebody acted on, a short one for the rest. */
export function LimitRows({
  replay,
  current,
  format,
  onLimit,
}: {
  replay: AlertReplay
  current: number | undefined
  format: (value: number) => string
  onLimit?: ((limit: number) => void) | undefined
}) {
  const suggested = current === undefined ? undefined : suggestedLimit(replay.limits, current)
  const now = replay.limits.find(({ limit }) => limit === current)
  return (
    <Section title={`At this limit, in ${formatCount(replay.days, 'day')}`} aside="tall: acted on">
      <ul className="border-t border-line">
        {replay.limits.map(({ limit, count, actedOnCount }) => (
          <li key={limit} className={cx('border-b border-line', limit === current && 'bg-active')}>
            <button
              type="button"
              disabled={onLimit === undefined}
              aria-pressed={limit === current}
              onClick={() => onLimit?.(limit)}
              className="flex min-h-11 w-full items-center gap-3 px-2 text-left"
            >
              <span className="w-20 shrink-0 font-medium tabular-nums">{format(limit)}</span>
              <span aria-hidden className="flex min-w-0 flex-1 items-end gap-px overflow-hidden">
                {Array.from({ length: Math.min(maxTicks, count) }, (_, index) => (
                  <span
                    // Ticks have no identity but their place.
                    // oxlint-disable-next-line react/no-array-index-key
                    key={index}
                    className={cx('w-0.75', index < actedOnCount ? 'h-3.5 bg-text-2' : 'h-2.25 bg-warn')}
                  />
                ))}
              </span>
              <span className="text-small text-text-2 tabular-nums">{countText(count, actedOnCount)}</span>
            </button>
          </li>
        ))}
      </ul>
      {suggested && now ? (
        <p className="pt-2 text-small text-text-2">
          {format(suggested.limit)} would have fired {formatCount(suggested.count, 'time')} instead of{' '}
          {now.count}, and for everything that somebody acted on.
        </p>
      ) : null}
    </Section>
  )
}

function countText(count: number, actedOn: number): string {
  if (count === 0) return 'never'
  if (actedOn === 0) return formatCount(count, 'time')
  return actedOn === count
    ? `${formatCount(count, 'time')}, all acted on`
    : `${formatCount(count, 'time')}, ${actedOn} acted on`
}
