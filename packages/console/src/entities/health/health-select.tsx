import { healthStates } from '@bey/contract'
import type { HealthState } from '@bey/contract'
import type { ListLocation } from '../../lib/list-location.ts'
import { oneOf } from '../../lib/list-location.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'

/** Narrows a list to one state of health, the worst first. */
export function HealthSelect({ listLocation }: { listLocation: ListLocation }) {
  return (
    <FilterSelect
      label="Health"
      all="Any health"
      value={healthOf(listLocation)}
      options={healthStates}
      onChange={(health) => listLocation.change({ health })}
    />
  )
}

/** The state of health that the address asks for. */
export function healthOf({ search }: ListLocation): HealthState | undefined {
  return oneOf(healthStates, search.health)
}
