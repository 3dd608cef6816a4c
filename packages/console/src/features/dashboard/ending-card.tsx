import type { EndingThing } from '@bey/contract'
import { outlookDays } from '@bey/contract'
import { ageText } from '../../entities/health/age-text.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'

const shownRows = 6
const refreshMs = 600_000

/** Secrets, certificates and API keys that end next. */
export function EndingCard({ hasFigures }: { hasFigures: boolean }) {
  const outlook = useRead('analytics.outlook', {}, { isEnabled: hasFigures, refreshMs })
  const failure = failureOf('Failed to read what ends next', outlook)
  const { data } = outlook
  const now = useNow(data !== undefined && data.ending.length > 0)
  return (
    <Section title="Ends soon" aside={data ? `next ${outlookDays} days` : undefined}>
      <div className="border-y border-line">
        {failure ? <ErrorState {...failure} isCompact /> : null}
        {data?.ending.length === 0 ? (
          <p className="py-2 text-text-2">
            No secret, certificate or API key ends within {outlookDays} days.
          </p>
        ) : null}
        <ul className="divide-y divide-line">
          {data?.ending.slice(0, shownRows).map((thing) => (
            <li key={thing.key}>
              <Link
                href={thing.href}
                className="flex h-7 items-center gap-1.5 -outline-offset-2 hover:bg-hover touch:h-9"
              >
                <Status status={thing.hasEnded ? 'failing' : 'degraded'} label="" />
                <span className="min-w-0 shrink truncate font-medium" data-tooltip={thing.name}>
                  {thing.name}
                </span>
                <span className="shrink-0 text-text-3">{kindTexts[thing.kind]}</span>
                <span
                  className="ml-auto shrink-0 text-small text-text-2"
                  data-tooltip-time={thing.at ?? undefined}
                >
                  {endText(thing, new Date(now))}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
      {data && data.endingTotal > shownRows ? (
        <Link href="/secrets?filter=expiring" className="block pt-1 text-small text-text-2 underline">
          {formatCount(data.endingTotal - shownRows, 'more thing')}
        </Link>
      ) : null}
    </Section>
  )
}

const kindTexts = { secret: 'secret', certificate: 'certificate', api_key: 'API key' } as const

/** "expires in 3 d", "expired 2 h ago", or what was found of a certificate. */
function endText({ at, hasEnded, text }: EndingThing, now: Date): string {
  if (at === null) return text
  return hasEnded
    ? `${text} ${ageText(at, now)} ago`
    : `${text} in ${ageText(now.toISOString(), new Date(at))}`
}
