import type { Capacity } from '@bey/contract'
import { CapacityLayers } from '../../entities/clusters/capacity-layers.tsx'
import { LayerLegend, LayerMeterSkeletons } from '../../ui/layer-meter.tsx'
import { Section } from '../../ui/section.tsx'

/** Used, requested and allocatable, over every cluster that could be read. */
export function CapacityPanel({ capacity }: { capacity: Capacity | undefined }) {
  return (
    <Section title="Capacity" aside={<LayerLegend />}>
      <div className="rounded-card border border-line p-4">
        {capacity ? <CapacityLayers capacity={capacity} /> : <LayerMeterSkeletons count={4} />}
      </div>
    </Section>
  )
}
