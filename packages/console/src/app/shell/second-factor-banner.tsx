import { ShieldAlert } from 'lucide-react'
import { useCurrentOrganization } from '../../data/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useTimeStyle } from '../../ui/time-style.ts'
import { dateText } from '../../ui/time-text.ts'

/** Shown on every page during the grace period to who has no second factor yet. */
export default function SecondFactorBanner() {
  useTimeStyle()
  const organization = useCurrentOrganization()
  const from = organization?.secondFactorFrom
  if (from === undefined) return null
  return (
    <section
      aria-label="Second factor"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn-soft px-3 py-1.5"
    >
      <ShieldAlert size={16} aria-hidden className="shrink-0 text-warn" />
      <p className="min-w-0 flex-1 basis-56">
        <strong className="font-semibold">{organization?.name}</strong> requires a second factor from{' '}
        {dateText(new Date(from))} on (<RelativeTime at={from} />
        ). Your account has none yet.
      </p>
      <ButtonLink size="small" href="/profile">
        Set it up
      </ButtonLink>
    </section>
  )
}
