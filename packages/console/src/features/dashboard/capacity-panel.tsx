import type { Capacity } from '@bey/contract'
import { capacityLines } from '../../lib/capacity-lines.ts'
import { Meter, MeterSkeletons } from '../../ui/meter.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'

/** Requested of allocatable, over every cluster that could be read. */
export function CapacityPanel({
  capacity,
  asOf,
}: {
  capacity: Capacity | undefined
  /** When the figures were read. */
  asOf: string | undefined
}) {
  return (
    <Section
      title="Capacity"
      aside={
        asOf ? (
          <>
            read <RelativeTime at={asOf} />
          </>
        ) : undefined
      }
    >
      <div className="rounded-card border border-line p-4">
        {capacity ? <Meters capacity={capacity} /> : <MeterSkeletons count={4} />}
      </div>
      <p className="mt-2 text-small text-text-3">
        Requested of allocatable, over every cluster that answers.
      </p>
    </Section>
  )
}

function Meters({ capacity }: { capacity: Capacity }) {
  return (
    <div className="flex flex-col gap-4">
      {capacityLines(capacity).map((line) => (
        <Meter key={line.label} {...line} />
      ))}
    </div>
  )
}
