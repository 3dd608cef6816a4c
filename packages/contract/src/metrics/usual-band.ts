import { median } from '../boards/difference.ts'

/** With how many weeks before a series is compared, and how many deviations from their median are usual. */
export const usualRules = {
  weeks: [2, 4, 8],
  deviations: [2, 3, 4],
  /** By default. */
  chosen: { weeks: 4, deviations: 3 },
  /** Fewer measured weeks make no band. */
  leastWeeks: 2,
  /** Longer ranges have no band, in seconds. */
  maxRangeSeconds: 31 * 86_400,
} as const

/** What is usual in an hour. */
export interface UsualHour {
  median: number
  /** The median absolute deviation, scaled to a standard deviation (1.4826). */
  deviation: number
  low: number
  high: number
}

/**
 * What is usual in an hour, from the values of the same hour and the one on either side in each week before. Undefined where
 * too few weeks were measured. What was never below 0 is not expected there.
 */
export function usualHour(
  weeks: readonly (readonly (number | null)[])[],
  deviations: number,
): UsualHour | undefined {
  const measured = weeks
    .map((week) => week.filter((value) => value !== null))
    .filter((week) => week.length > 0)
  if (measured.length < usualRules.leastWeeks) return undefined
  const values = measured.flat()
  const middle = median(values) ?? 0
  const deviation = 1.4826 * (median(values.map((value) => Math.abs(value - middle))) ?? 0)
  const least = values.every((value) => value >= 0) ? 0 : Number.NEGATIVE_INFINITY
  return {
    median: middle,
    deviation,
    low: Math.max(least, middle - deviations * deviation),
    high: middle + deviations * deviation,
  }
}

/** Whether a value lies outside of what is usual, by a difference that shows in its first two digits. */
export function isUnusual(value: number, { median: middle, low, high }: UsualHour): boolean {
  const isVisible = Number(value.toPrecision(2)) !== Number(middle.toPrecision(2))
  return (value < low || value > high) && isVisible
}
