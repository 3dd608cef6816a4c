import { runStatuses } from '@bey/contract'
import type { ListLocation } from '../../lib/list-location.ts'
import { oneOf } from '../../lib/list-location.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'

/** The choice of a run's status, kept in the address. `isIdleToo` for workflows, which may never have run. */
export function RunStatusSelect({
  listLocation,
  isIdleToo = false,
}: {
  listLocation: ListLocation
  isIdleToo?: boolean
}) {
  const statuses = isIdleToo ? (['idle', ...runStatuses] as const) : runStatuses
  return (
    <FilterSelect
      label="Status"
      all="All statuses"
      value={oneOf(statuses, listLocation.search.status)}
      options={statuses.map((status) => ({ value: status, label: status.replaceAll('_', ' ') }))}
      onChange={(status) => listLocation.change({ status })}
    />
  )
}
