import type { CallOutput } from '@bey/contract'
import { healthStates } from '@bey/contract'
import { formatCount, formatNumber } from '../../lib/format.ts'

/** "2 of 9 workloads are failing, 1 is degraded", or that all are healthy; counts are those of the server. */
export function namespaceSentence({
  counts,
  isPartial,
}: Pick<CallOutput<'kubernetes.workloads'>, 'counts' | 'isPartial'>): string {
  const total = healthStates.reduce((sum, state) => sum + counts[state], 0)
  if (isPartial) return `Reading workloads: ${formatNumber(total)} so far`
  if (total === 0) return 'No workloads'
  const [worst, ...others] = healthStates.filter((state) => state !== 'healthy' && counts[state] > 0)
  if (worst === undefined) {
    return total === 1 ? 'The workload is healthy' : `All ${formatNumber(total)} workloads are healthy`
  }
  const verb = (count: number) => (count === 1 ? 'is' : 'are')
  const first = `${formatNumber(counts[worst])} of ${formatCount(total, 'workload')} ${verb(counts[worst])} ${worst}`
  const rest = others.map((state) => `${formatNumber(counts[state])} ${verb(counts[state])} ${state}`)
  return [first, ...rest].join(', ')
}
