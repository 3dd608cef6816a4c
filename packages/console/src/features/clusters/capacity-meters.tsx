import type { Capacity } from '@bey/contract'
import { formatBytes, formatCpu, formatNumber } from '../../lib/format.ts'
import { Meter } from '../../ui/meter.tsx'

/** Requested of allocatable, as the cluster's scheduler counts. */
export function CapacityMeters({ capacity }: { capacity: Capacity }) {
  const { cpuMillicores, memoryBytes, storageBytes, pods } = capacity
  return (
    <div className="flex flex-col gap-4">
      <Meter
        label="CPU"
        used={cpuMillicores.requested}
        total={cpuMillicores.allocatable}
        format={formatCpu}
      />
      <Meter
        label="Memory"
        used={memoryBytes.requested}
        total={memoryBytes.allocatable}
        format={formatBytes}
      />
      <Meter
        label="Storage"
        used={storageBytes.requested}
        total={storageBytes.allocatable}
        format={formatBytes}
      />
      <Meter label="Pods" used={pods.requested} total={pods.allocatable} format={formatNumber} />
    </div>
  )
}
