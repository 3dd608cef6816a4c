import type { Capacity } from '@bey/contract'
import { formatBytes, formatCpu, formatNumber } from '../../lib/format.ts'
import { LayerMeter } from '../../ui/layer-meter.tsx'

/** Used, requested and allocatable, in the order in which they are always shown. */
export function CapacityLayers({ capacity }: { capacity: Capacity }) {
  const { cpuMillicores, memoryBytes, storageBytes, pods } = capacity
  return (
    <div className="flex flex-col gap-4">
      <LayerMeter label="CPU" {...cpuMillicores} format={formatCpu} />
      <LayerMeter label="Memory" {...memoryBytes} format={formatBytes} />
      <ClaimedStorage storage={storageBytes} />
      <LayerMeter label="Pods" {...pods} used={pods.requested} format={formatNumber} />
    </div>
  )
}

/** What claims ask for: storage has no end that a bar could show. */
function ClaimedStorage({ storage }: { storage: Capacity['storageBytes'] }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3">
      <span>Storage</span>
      <span className="text-right text-small text-text-2 tabular-nums">{storageText(storage)}</span>
    </div>
  )
}

function storageText(storage: Capacity['storageBytes']): string {
  if (storage === null) return 'claims were not read'
  const { requested, bound } = storage
  if (requested === 0) return 'none claimed'
  return `${formatBytes(requested)} claimed · ${bound >= requested ? 'all' : formatBytes(bound)} bound`
}
