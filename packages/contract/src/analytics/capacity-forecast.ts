/** Days ahead in which what ends is listed. */
export const outlookDays = 30

/** Values of equal steps, oldest first; null where nothing was measured. */
type Values = readonly (number | null)[]

/** When something that grows will be full. */
export type Forecast =
  | { state: 'fills'; atMs: number }
  /** It is full already. */
  | { state: 'full' }
  /** It does not grow, or so slowly that it is not full within `forecastRules.maxDays`. */
  | { state: 'steady' }
  | { state: 'short_history'; days: number }

export const forecastRules = {
  /** What is looked back at. */
  days: 30,
  /** With less history nothing is said. */
  leastDays: 3,
  /** What lies further ahead is not said. */
  maxDays: 365,
} as const

const dayMs = 86_400_000

/**
 * Pure: when values reach a limit if they go on as they did. The slope is the median of the slopes between all pairs
 * (Theil and Sen), so that a night of maintenance does not bend it. A rise that is smaller than the values scatter is none.
 */
export function forecastFull(
  values: Values,
  limit: number,
  range: { fromMs: number; stepMs: number },
): Forecast {
  const points = values.flatMap((value, index) =>
    value === null ? [] : [{ atMs: range.fromMs + (index + 0.5) * range.stepMs, value }],
  )
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return { state: 'short_history', days: 0 }
  if (last.value >= limit) return { state: 'full' }
  const days = (last.atMs - first.atMs) / dayMs
  if (days < forecastRules.leastDays) return { state: 'short_history', days: Math.floor(days) }
  const slopes = points.flatMap((a, index) =>
    points.slice(index + 1).map((b) => (b.value - a.value) / (b.atMs - a.atMs)),
  )
  const slope = median(slopes)
  const level = median(points.map(({ atMs, value }) => value - slope * (atMs - first.atMs)))
  const at = (ms: number) => level + slope * (ms - first.atMs)
  const scatter = 1.4826 * median(points.map(({ atMs, value }) => Math.abs(value - at(atMs))))
  if (slope * (last.atMs - first.atMs) <= scatter) return { state: 'steady' }
  const atMs = last.atMs + (limit - at(last.atMs)) / slope
  if (atMs > last.atMs + forecastRules.maxDays * dayMs) return { state: 'steady' }
  return { state: 'fills', atMs: Math.max(atMs, last.atMs) }
}

/** "full in 7 months at this rate", "does not grow", "no forecast before 3 days of history". */
export function forecastText(forecast: Forecast, nowMs: number): string {
  switch (forecast.state) {
    case 'full':
      return 'full'
    case 'steady':
      return 'not full within a year at this rate'
    case 'short_history':
      return `no forecast before ${forecastRules.leastDays} days of history`
    case 'fills':
      return `full in ${spanText(forecast.atMs - nowMs)} at this rate`
  }
}

function spanText(ms: number): string {
  const days = Math.max(1, Math.round(ms / dayMs))
  if (days < 2) return 'a day'
  if (days < 21) return `${days} days`
  return days < 75 ? `${Math.round(days / 7)} weeks` : `${Math.round(days / 30.4)} months`
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
