/**
 * The φ-quantile by linear interpolation between the two nearest values, as Prometheus computes it: −Inf below 0, +Inf
 * above 1, NaN for NaN and for no values.
 */
export function quantile(values: readonly number[], phi: number): number {
  if (values.length === 0 || Number.isNaN(phi)) return Number.NaN
  if (phi < 0) return Number.NEGATIVE_INFINITY
  if (phi > 1) return Number.POSITIVE_INFINITY
  const sorted = values.toSorted((a, b) => (Number.isNaN(a) ? -1 : Number.isNaN(b) ? 1 : a - b))
  const rank = phi * (sorted.length - 1)
  const lower = Math.floor(rank)
  const upper = Math.min(sorted.length - 1, lower + 1)
  const weight = rank - lower
  return (sorted[lower] ?? Number.NaN) * (1 - weight) + (sorted[upper] ?? Number.NaN) * weight
}
