import { healthStates } from '@bey/contract'
import type { HealthState } from '@bey/contract'
import type { ListPlace } from '../../lib/list-place.ts'
import { oneOf } from '../../lib/list-place.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'

/** Narrows a list to one state of health, the worst first. */
export function HealthSelect({ place }: { place: ListPlace }) {
  return (
    <FilterSelect
      label="Health"
      all="Any health"
      value={healthOf(place)}
      options={healthStates}
      onChange={(health) => place.change({ health })}
    />
  )
}

/** The state of health that the address asks for. */
export function healthOf({ search }: ListPlace): HealthState | undefined {
  return oneOf(healthStates, search.health)
}
