const dayMs = 86_400_000
/** A shorter past says nothing of days to come. */
const minPastMs = dayMs
/** Further away than this nothing is foreseen from a week. */
const maxDays = 365

export type DatabaseGrowth = {
  /** Negative where it shrinks. */
  bytesPerDay: number
  /** Whole days until what is free is used, at most 365; null where it does not grow, or what is free is not known. */
  daysUntilFull: number | null
}

/**
 * How a database grows, as the straight line that is nearest to its sizes (least squares); undefined where less than a day of
 * them is known. Sizes in bytes, one a step, null where none was measured.
 */
export function growthOf(
  sizes: readonly (number | null)[],
  stepMs: number,
  freeBytes: number | null,
): DatabaseGrowth | undefined {
  const points = sizes.flatMap((size, step) => (size === null ? [] : [{ at: (step * stepMs) / dayMs, size }]))
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || (last.at - first.at) * dayMs < minPastMs) return undefined
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const middle = { at: mean(points.map(({ at }) => at)), size: mean(points.map(({ size }) => size)) }
  const spread = points.reduce((sum, { at }) => sum + (at - middle.at) ** 2, 0)
  const together = points.reduce((sum, { at, size }) => sum + (at - middle.at) * (size - middle.size), 0)
  const bytesPerDay = together / spread
  const days = freeBytes === null || bytesPerDay <= 0 ? Infinity : Math.floor(freeBytes / bytesPerDay)
  return { bytesPerDay, daysUntilFull: days <= maxDays ? days : null }
}
