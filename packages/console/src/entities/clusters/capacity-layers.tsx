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
      <LayerMeter label="Storage" {...storageBytes} used={null} format={formatBytes} />
      <LayerMeter label="Pods" {...pods} used={pods.requested} format={formatNumber} />
    </div>
  )
}
