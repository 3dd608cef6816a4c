/** How a share of a capacity develops: its last value, its change in a week, and when it reaches 1. */
export type Trend = { last: number; perWeek: number | undefined; fullAt: Date | undefined }

const weekMs = 7 * 86_400_000
const yearMs = 365 * 86_400_000
/** A line through less says nothing about the weeks to come. */
const minSpanMs = 3 * 86_400_000
const minValues = 12

/**
 * The straight line of least squares through values of 0 to 1 at even steps, the last of which ends at `endMs`. Undefined
 * without any value. It says when it is full only from three days of values on, and within a year.
 */
export function trendOf(
  values: readonly (number | null)[],
  stepMs: number,
  endMs: number,
): Trend | undefined {
  const points = values.flatMap((value, index) =>
    value === null ? [] : [{ x: (index - values.length + 1) * stepMs, y: value }],
  )
  const last = points.at(-1)
  const first = points[0]
  if (last === undefined || first === undefined) return undefined
  if (points.length < minValues || last.x - first.x < minSpanMs) {
    return { last: last.y, perWeek: undefined, fullAt: last.y >= 1 ? new Date(endMs) : undefined }
  }
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length
  const slope =
    points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) /
    points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  const atEnd = meanY - slope * meanX
  const untilFullMs = slope > 0 ? Math.max(0, (1 - atEnd) / slope) : Infinity
  return {
    last: last.y,
    perWeek: slope * weekMs,
    fullAt: untilFullMs <= yearMs ? new Date(endMs + untilFullMs) : undefined,
  }
}
