import { certificateWarnDays } from '@bey/contract/ingress/rules'
import { cx } from '../../ui/class-names.ts'

const dayMs = 24 * 60 * 60 * 1000
const shownDays = 90

/** How long a certificate is good for on an axis of 90 days, of which the first 30 are those of the warning. */
export function ExpiryAxis({ expiresAt, nowMs }: { expiresAt: string | null; nowMs: number }) {
  if (expiresAt === null) return null
  const days = (Date.parse(expiresAt) - nowMs) / dayMs
  return (
    <span className="relative block h-6 w-full min-w-20" aria-hidden>
      <span
        className="absolute inset-y-0 left-0 border-l border-line-strong bg-sunken"
        style={{ width: `${(100 * certificateWarnDays) / shownDays}%` }}
      />
      <span className="absolute inset-y-0 right-0 border-r border-line" />
      <Left days={days} />
    </span>
  )
}

/** As the health of a certificate says it: red once it has ended, amber while it is warned of. */
const toneOf = (days: number) =>
  days <= 0 ? 'text-danger' : days <= certificateWarnDays ? 'text-warn' : undefined

function Left({ days }: { days: number }) {
  const tone = toneOf(days) ?? 'text-text-3'
  const width = Math.max(0, Math.min(100, (100 * days) / shownDays))
  return (
    <span
      className={cx('absolute top-1/2 left-0 flex -translate-y-1/2 items-center', tone)}
      style={{ width: `${width}%` }}
    >
      <span className="h-0.5 flex-1 bg-current" />
      {days > shownDays ? (
        <span className="-ml-1 size-1.5 rotate-45 border-t-2 border-r-2 border-current" />
      ) : (
        <span className="h-3 w-0.5 shrink-0 bg-current" />
      )}
    </span>
  )
}

/** What is left of a certificate, coloured from the time of the warning on. */
export function ExpiryLeft({ expiresAt, text, nowMs }: { expiresAt: string; text: string; nowMs: number }) {
  const days = (Date.parse(expiresAt) - nowMs) / dayMs
  return <span className={toneOf(days)}>{text}</span>
}
