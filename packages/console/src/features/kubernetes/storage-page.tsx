import { formatBytes, formatNumber } from '../../lib/format.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { AllObjectsList } from './all-objects-list.tsx'

const resources = [
  { value: 'persistentvolumeclaims', label: 'Claims', one: 'claim', noun: 'claims' },
  { value: 'persistentvolumes', label: 'Volumes', one: 'volume', noun: 'volumes' },
  { value: 'storageclasses.storage.k8s.io', label: 'Classes', one: 'storage class', noun: 'storage classes' },
]

/** Claims, volumes and classes of all clusters of the organization, and which of them serve nobody. */
export function StoragePage() {
  return (
    <AllObjectsList
      title="Storage"
      resources={resources}
      emptyText="A claim asks for a volume of a storage class. Those of all running clusters are listed here."
      summary={({ unusedTotal, storage }, count) => (
        <>
          {count}
          {storage ? `, ${formatBytes(storage.capacityBytes)} provisioned` : ''}
          {unusedTotal > 0 ? (
            <span className="text-warn">
              , {formatNumber(unusedTotal)} used by nobody
              {storage && storage.unusedBytes > 0 ? ` with ${formatBytes(storage.unusedBytes)}` : ''}
            </span>
          ) : null}
        </>
      )}
      filters={(resource, { search, change }) =>
        resource.startsWith('storageclasses') ? null : (
          <FilterSelect
            label="Use"
            all="Used or not"
            value={search.status}
            options={[{ value: 'unused', label: 'Used by nobody' }]}
            onChange={(status) => change({ status })}
          />
        )
      }
    />
  )
}
