import { bytes, millicores, quantity } from '@bey/contract'
import { formatBytes, formatCpu, formatNumber } from '../../../lib/format.ts'
import type { Fields } from './fields.ts'
import { at, fields, text } from './fields.ts'

/** A resource of a node, of which it has some. */
export interface NodeAmount {
  /** As Kubernetes names it: `cpu`, `ephemeral-storage`. */
  name: string
  label: string
  capacity: number
  /** What pods may take of it; null where the node does not say. */
  allocatable: number | null
  format: (value: number) => string
}

/** What a node has, in its own order; what it has none of is left out. */
export function nodeAmounts(node: Fields): NodeAmount[] {
  const capacity = fields(at(node, 'status', 'capacity'))
  const allocatable = fields(at(node, 'status', 'allocatable'))
  return Object.keys(capacity)
    .map((name) => {
      const { read, format } = unitOf(name)
      const given = text(allocatable[name])
      return {
        name,
        label: labels[name] ?? name,
        capacity: read(text(capacity[name]) ?? undefined),
        allocatable: given === null ? null : read(given),
        format,
      }
    })
    .filter((each) => each.capacity > 0)
}

function unitOf(name: string) {
  if (name === 'cpu') return { read: millicores, format: formatCpu }
  const isBytes = name === 'memory' || name.endsWith('storage') || name.startsWith('hugepages-')
  return isBytes ? { read: bytes, format: formatBytes } : { read: quantity, format: formatNumber }
}

const labels: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  memory: 'Memory',
  pods: 'Pods',
  'ephemeral-storage': 'Disk of pods',
}
