import { reductions } from './aggregate.ts'
import { quantile } from './quantile.ts'

/** The measured values of a window, oldest first, with the middles of their steps in seconds. At least one. */
export type Window = {
  values: readonly number[]
  times: readonly number[]
  /** Bounds of the window in seconds. `endS` is the moment of evaluation. */
  startS: number
  endS: number
}

type OverTime = (window: Window, parameter: number) => number | null

const reduced =
  (reduce: (values: readonly number[], parameter: number) => number): OverTime =>
  ({ values }, p) =>
    reduce(values, p)

const countPairs =
  (counts: (before: number, after: number) => boolean): OverTime =>
  ({ values }) => {
    let count = 0
    for (let index = 1; index < values.length; index += 1) {
      const before = values[index - 1] ?? 0
      const after = values[index] ?? 0
      if (counts(before, after) && !(Number.isNaN(before) && Number.isNaN(after))) count += 1
    }
    return count
  }

/** Functions over the values of a window. Null where the window holds too few of them. */
export const overTime: ReadonlyMap<string, OverTime> = new Map<string, OverTime>([
  ['avg_over_time', reduced(reductions.avg)],
  ['min_over_time', reduced(reductions.min)],
  ['max_over_time', reduced(reductions.max)],
  ['sum_over_time', reduced(reductions.sum)],
  ['count_over_time', reduced(reductions.count)],
  ['stddev_over_time', reduced(reductions.stddev)],
  ['stdvar_over_time', reduced(reductions.stdvar)],
  ['quantile_over_time', reduced(quantile)],
  ['last_over_time', ({ values }) => values.at(-1) ?? null],
  ['present_over_time', () => 1],
  ['changes', countPairs((before, after) => before !== after)],
  ['resets', countPairs((before, after) => after < before)],
  ['rate', (window) => perSecond(window, extrapolated(window, true))],
  ['increase', (window) => extrapolated(window, true)],
  ['delta', (window) => extrapolated(window, false)],
  ['irate', (window) => lastStep(window, true)],
  ['idelta', (window) => lastStep(window, false)],
  ['deriv', (window) => regression(window)?.slope ?? null],
  [
    'predict_linear',
    (window, seconds) => {
      const line = regression(window)
      return line ? line.atEnd + line.slope * seconds : null
    },
  ],
])

const perSecond = ({ startS, endS }: Window, increase: number | null) =>
  increase === null ? null : increase / (endS - startS)

/**
 * The change over the window, extrapolated to its bounds as Prometheus does: up to a bound that is nearer than 1.1 times
 * the average distance of values, else by half of that distance. A counter that falls began anew at 0, and is not
 * extrapolated below 0.
 */
function extrapolated({ values, times, startS, endS }: Window, isCounter: boolean): number | null {
  const first = values[0]
  const last = values.at(-1)
  const firstS = times[0]
  const lastS = times.at(-1)
  if (
    values.length < 2 ||
    first === undefined ||
    last === undefined ||
    firstS === undefined ||
    lastS === undefined
  ) {
    return null
  }
  let change = last - first
  if (isCounter) {
    for (let index = 1; index < values.length; index += 1) {
      const before = values[index - 1] ?? 0
      if ((values[index] ?? 0) < before) change += before
    }
  }
  const sampledS = lastS - firstS
  const distanceS = sampledS / (values.length - 1)
  const reach = (gapS: number) => (gapS < distanceS * 1.1 ? gapS : distanceS / 2)
  let beforeS = reach(firstS - startS)
  if (isCounter && change > 0 && first >= 0) beforeS = Math.min(beforeS, sampledS * (first / change))
  return change * ((sampledS + beforeS + reach(endS - lastS)) / sampledS)
}

function lastStep({ values, times }: Window, isRate: boolean): number | null {
  const last = values.at(-1)
  const before = values.at(-2)
  if (last === undefined || before === undefined) return null
  if (!isRate) return last - before
  return (last < before ? last : last - before) / ((times.at(-1) ?? 0) - (times.at(-2) ?? 0))
}

/** The line of least squares. `atEnd` is its value at the moment of evaluation. */
function regression({ values, times, endS }: Window): { slope: number; atEnd: number } | undefined {
  const count = values.length
  if (count < 2) return undefined
  const meanTime = reductions.avg(times.map((time) => time - endS))
  const meanValue = reductions.avg(values)
  let covariance = 0
  let spread = 0
  for (const [index, value] of values.entries()) {
    const distance = (times[index] ?? 0) - endS - meanTime
    covariance += distance * (value - meanValue)
    spread += distance * distance
  }
  const slope = covariance / spread
  return { slope, atEnd: meanValue - slope * meanTime }
}
