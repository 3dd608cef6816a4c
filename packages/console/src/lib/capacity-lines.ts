import type { Capacity } from '@bey/contract'
import { formatBytes, formatCpu, formatNumber } from './format.ts'

export type CapacityLine = {
  label: string
  used: number
  total: number
  format: (value: number) => string
}

/** Requested of allocatable, as the cluster's scheduler counts, in the order in which it is always shown. */
export function capacityLines({ cpuMillicores, memoryBytes, storageBytes, pods }: Capacity): CapacityLine[] {
  const rows = [
    { label: 'CPU', of: cpuMillicores, format: formatCpu },
    { label: 'Memory', of: memoryBytes, format: formatBytes },
    { label: 'Storage', of: storageBytes, format: formatBytes },
    { label: 'Pods', of: pods, format: formatNumber },
  ]
  return rows.map(({ label, of, format }) => ({ label, used: of.requested, total: of.allocatable, format }))
}
