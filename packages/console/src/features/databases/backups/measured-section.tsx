import type { DatabaseRestore } from '@bey/contract'
import { formatCount } from '../../../lib/format.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/section.tsx'
import { measuredDrills } from './measured-drills.ts'

/** What drills measured of being back; nothing before the first. */
export function MeasuredSection({ restores }: { restores: readonly DatabaseRestore[] | undefined }) {
  const { drills, back, lost } = measuredDrills(restores ?? [])
  if (drills === 0) return null
  return (
    <Section
      title="Measured"
      aside={drills === 1 ? 'by the last drill' : `by the last ${formatCount(drills, 'drill')}`}
      isCard
    >
      <Facts
        facts={[
          { label: 'Time to be back', value: back },
          { label: 'Changes lost', value: lost },
        ]}
      />
    </Section>
  )
}
