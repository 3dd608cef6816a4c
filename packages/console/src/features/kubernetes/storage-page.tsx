import { formatBytes, formatNumber } from '../../lib/format.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { AllObjectsList } from './all-objects-list.tsx'

const resources = [
  { value: 'persistentvolumeclaims', label: 'Claims', one: 'claim', noun: 'claims' },
  { value: 'persistentvolumes', label: 'Volumes', one: 'volume', noun: 'volumes', isNamespaced: false },
  {
    value: 'storageclasses.storage.k8s.io',
    label: 'Classes',
    one: 'storage class',
    noun: 'storage classes',
    isNamespaced: false,
  },
]

/** What is used inside; of how many, where some could not be measured. */
function usedText({ usedBytes, measuredTotal }: { usedBytes: number; measuredTotal: number }, total: number) {
  const used = `${formatBytes(usedBytes)} used`
  return measuredTotal === total
    ? used
    : `${used} inside the ${formatNumber(measuredTotal)} that are measured`
}

/** Claims, volumes and classes of all clusters of the organization, which of them serve nobody, and which are nearly full. */
export function StoragePage() {
  return (
    <AllObjectsList
      title="Storage"
      resources={resources}
      emptyText="A claim asks for a volume of a storage class. Those of all running clusters are listed here."
      summary={({ total, unusedTotal, storage }, count) => (
        <>
          {count}
          {storage ? `, ${formatBytes(storage.capacityBytes)} provisioned` : ''}
          {storage && storage.measuredTotal > 0 ? `, ${usedText(storage, total)}` : ''}
          {storage && storage.nearlyFullTotal > 0 ? (
            <span className="text-warn">, {formatNumber(storage.nearlyFullTotal)} nearly full</span>
          ) : null}
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
            all="All uses"
            value={search.status}
            options={[
              { value: 'unused', label: 'Unused' },
              { value: 'nearly-full', label: 'Nearly full' },
            ]}
            onChange={(status) => change({ status })}
          />
        )
      }
    />
  )
}
