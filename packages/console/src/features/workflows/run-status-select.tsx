import { runStatuses } from '@bey/contract'
import type { ListPlace } from '../../lib/list-place.ts'
import { oneOf } from '../../lib/list-place.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'

/** The choice of a run's status, kept in the address. `isIdleToo` for workflows, which may never have run. */
export function RunStatusSelect({ place, isIdleToo = false }: { place: ListPlace; isIdleToo?: boolean }) {
  const statuses = isIdleToo ? (['idle', ...runStatuses] as const) : runStatuses
  return (
    <FilterSelect
      label="Status"
      all="All statuses"
      value={oneOf(statuses, place.search.status)}
      options={statuses.map((status) => ({ value: status, label: status.replaceAll('_', ' ') }))}
      onChange={(status) => place.change({ status })}
    />
  )
}
