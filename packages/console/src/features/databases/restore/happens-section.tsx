import type { RecoveryRate } from '@bey/contract'
import { formatCount, formatDuration } from '../../../lib/format.ts'
import { Section } from '../../../ui/section.tsx'
import type { RestorePlace } from './restore-place.ts'
import { leastDrills, type RestoreStep } from './restore-steps.ts'

export interface HappensSectionProps {
  steps: readonly RestoreStep[]
  totalMs: number | undefined
  measured: RecoveryRate | null
  place: RestorePlace
}

/** What a restore does, one after the other, with times that drills measured. */
export function HappensSection({ steps, totalMs, measured, place }: HappensSectionProps) {
  const drills = measured?.drills ?? 0
  return (
    <Section
      title="What will happen"
      aside={totalMs === undefined ? null : `about ${formatDuration(totalMs)}`}
    >
      <ol className="border-b border-line">
        {steps.map(({ text, time }, index) => (
          <li key={text} className="flex items-baseline gap-3 border-t border-line py-1">
            <span className="w-2 shrink-0 text-text-2 tabular-nums">{index + 1}</span>
            <span className="min-w-0 flex-1 break-words">{text}</span>
            <span className="shrink-0 text-small text-text-2 tabular-nums">{time}</span>
          </li>
        ))}
      </ol>
      <p className="mt-2 text-pretty text-text-2">
        {ends[place]}
        {drills >= leastDrills
          ? ` Times are those of ${formatCount(drills, 'drill')}.`
          : ` Times need ${leastDrills} drills: ${drills === 0 ? 'none has' : `${drills} ${drills === 1 ? 'has' : 'have'}`} measured them yet.`}
      </p>
    </Section>
  )
}

const ends: Readonly<Record<RestorePlace, string>> = {
  new: 'Nothing changes in the database that it is made from.',
  swap: 'Until you swap, nothing changes. The swap can be undone for 24 h.',
  table: 'If a step fails, nothing has changed.',
}
