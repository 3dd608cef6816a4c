import { runStatuses } from '@bey/contract'
import type { ListPlace } from '../../lib/list-place.ts'
import { oneOf } from '../../lib/list-place.ts'
import { Select } from '../../ui/select.tsx'

/** The choice of a run's status, kept in the address. `isIdleToo` for workflows, which may never have run. */
export function RunStatusSelect({ place, isIdleToo = false }: { place: ListPlace; isIdleToo?: boolean }) {
  const statuses = isIdleToo ? (['idle', ...runStatuses] as const) : runStatuses
  return (
    <Select
      aria-label="Status"
      controlSize="small"
      value={oneOf(statuses, place.search.status) ?? ''}
      onChange={(event) => place.change({ status: event.target.value })}
      options={[
        { value: '', label: 'All statuses' },
        ...statuses.map((status) => ({ value: status, label: status.replaceAll('_', ' ') })),
      ]}
    />
  )
}
