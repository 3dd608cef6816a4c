import type { HealthState } from '@bey/contract'
import { formatCount, formatNumber } from '../../lib/format.ts'

/** The head of a list over clusters: how many fail, and where. */
export function HealthSummary({
  counts,
  clusterCount,
  one,
  noun,
  isFiltered,
}: {
  counts: Readonly<Record<HealthState, number>>
  clusterCount: number
  /** What one row and several rows are called. */
  one: string
  noun: string
  /** The counts are of what the filters leave. */
  isFiltered: boolean
}) {
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0)
  const where = `in ${formatCount(clusterCount, 'cluster')}`
  if (isFiltered && total === 0)
    return (
      <>
        No {one} {where} matches the filters
      </>
    )
  if (counts.failing === 0) {
    return (
      <>
        {formatCount(total, one, noun)} {where}
        {counts.degraded > 0 ? `, ${formatNumber(counts.degraded)} degraded` : null}
      </>
    )
  }
  return (
    <>
      <span className="text-danger">
        {formatNumber(counts.failing)} of {formatCount(total, one, noun)} failing
      </span>{' '}
      {where}
      {counts.degraded > 0 ? `; ${formatNumber(counts.degraded)} degraded` : null}
    </>
  )
}
