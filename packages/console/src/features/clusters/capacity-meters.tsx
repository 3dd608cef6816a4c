import type { Capacity } from '@bey/contract'
import { capacityLines } from '../../lib/capacity-lines.ts'
import { Meter } from '../../ui/meter.tsx'

/** Requested of allocatable of one cluster. */
export function CapacityMeters({ capacity }: { capacity: Capacity }) {
  return (
    <div className="flex flex-col gap-4">
      {capacityLines(capacity).map((line) => (
        <Meter key={line.label} {...line} />
      ))}
    </div>
  )
}
