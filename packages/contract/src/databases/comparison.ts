import { isUnusual, type UsualHour } from '../metrics/usual-band.ts'

/** What databases are compared by over time. */
export const comparedMetrics = ['load', 'connections', 'latency', 'cache', 'lag', 'wal', 'disk'] as const
export type ComparedMetric = (typeof comparedMetrics)[number]

export const comparisonLimits = {
  /** Points of a line, at most. */
  steps: 200,
  maxRangeSeconds: 31 * 86_400,
} as const

/** By what a database is found to be outside of its usual: what these measure is slow or refused next. */
export const judgedMetrics = ['load', 'connections', 'latency'] as const
export type JudgedMetric = (typeof judgedMetrics)[number]

/**
 * A smaller difference from the usual is no news, however narrow the band: sessions at work, connections, ms.
 */
const leastDifference: Readonly<Record<JudgedMetric, number>> = { load: 0.5, connections: 5, latency: 5 }
/** So many times the usual are severe. */
const severeTimes = 3

/** How far a value lies outside of what is usual: undefined where it does not. */
export function deviationOf(
  metric: JudgedMetric,
  value: number,
  usual: UsualHour,
): { distance: number; times: number | null; isSevere: boolean } | undefined {
  const { median, deviation } = usual
  const difference = Math.abs(value - median)
  if (!isUnusual(value, usual) || difference < leastDifference[metric]) return undefined
  const times = median > 0 ? value / median : null
  return {
    // A band without width would put any value infinitely far out.
    distance: difference / Math.max(deviation, leastDifference[metric]),
    times,
    isSevere: times === null || times >= severeTimes,
  }
}

/**
 * What is usual at the middle of each of `steps` steps, from what is usual in each hour: between the middles of two hours
 * it goes from one to the other. Times in ms since 1970.
 */
export function bandOf(
  hours: { fromMs: number; stepMs: number; usual: readonly (UsualHour | undefined)[] },
  { fromMs, stepMs, steps }: { fromMs: number; stepMs: number; steps: number },
): { low: (number | null)[]; high: (number | null)[] } {
  const edge = (of: 'low' | 'high') =>
    Array.from({ length: steps }, (_, step) => {
      const place = (fromMs + (step + 0.5) * stepMs - hours.fromMs) / hours.stepMs - 0.5
      const before = Math.max(0, Math.min(hours.usual.length - 1, Math.floor(place)))
      const after = Math.min(hours.usual.length - 1, before + 1)
      const [a, b] = [hours.usual[before], hours.usual[after]]
      if (!a || !b) return (a ?? b)?.[of] ?? null
      return a[of] + (b[of] - a[of]) * Math.max(0, Math.min(1, place - before))
    })
  return { low: edge('low'), high: edge('high') }
}
