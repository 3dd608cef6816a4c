import { type AlertCondition, lookbackMs } from './rules.ts'
import type { Observation } from './states.ts'

type Values = readonly (number | null)[]

/**
 * A series judged by a condition, one observation a time. `times` are ascending milliseconds. Where a change or forecast
 * has too little history the value is null and within the limit.
 */
export function observationsOf(
  condition: AlertCondition,
  times: readonly number[],
  values: Values,
): Observation[] {
  switch (condition.kind) {
    case 'threshold':
      return times.map((atMs, index) => {
        const value = values[index] ?? null
        return { atMs, value, isBreached: value === null ? null : isBeyond(condition, value) }
      })
    case 'match':
      return times.map((atMs, index) => {
        const value = values[index] ?? null
        return { atMs, value, isBreached: value === null ? null : value > 0 }
      })
    case 'absence':
      return times.map((atMs, index) => {
        const value = values[index] ?? null
        return { atMs, value, isBreached: value === null }
      })
    case 'change':
      return changes(condition, times, values)
    case 'forecast':
      return forecasts(condition, times, values)
  }
}

/** The worse of two judged values. */
export function worseOf(condition: AlertCondition): (a: number, b: number) => number {
  const isLowWorse =
    condition.kind === 'change'
      ? condition.direction === 'down'
      : condition.kind !== 'absence' && condition.kind !== 'match' && condition.direction === 'below'
  return isLowWorse ? Math.min : Math.max
}

const isBeyond = ({ direction, limit }: { direction: 'above' | 'below'; limit: number }, value: number) =>
  direction === 'above' ? value > limit : value < limit

/** A change from 0 has no percentage; it counts as this one. */
const maxPercent = 1_000_000

function changes(
  condition: Extract<AlertCondition, { kind: 'change' }>,
  times: readonly number[],
  values: Values,
): Observation[] {
  const { direction, by, isPercent, withinMs } = condition
  let earlier = -1
  return times.map((atMs, index) => {
    while ((times[earlier + 1] ?? Infinity) <= atMs - withinMs) earlier += 1
    const value = values[index] ?? null
    if (value === null) return { atMs, value, isBreached: null }
    const base = earlier < 0 ? null : (values[earlier] ?? null)
    if (base === null) return { atMs, value: null, isBreached: false }
    const moved = value - base
    const change = isPercent ? percentOf(moved, base) : moved
    return { atMs, value: change, isBreached: direction === 'up' ? change >= by : change <= -by }
  })
}

function percentOf(moved: number, base: number): number {
  if (moved === 0) return 0
  const percent = (moved / Math.abs(base)) * 100
  return Math.max(-maxPercent, Math.min(maxPercent, percent))
}

/** A line needs so many values over so large a part of the time that it is drawn through. */
const minPoints = 5
const minPart = 0.25

function forecasts(
  condition: Extract<AlertCondition, { kind: 'forecast' }>,
  times: readonly number[],
  values: Values,
): Observation[] {
  const windowMs = lookbackMs(condition)
  const start = times[0] ?? 0
  const sums = { count: 0, x: 0, y: 0, xx: 0, xy: 0 }
  const add = (index: number, sign: 1 | -1) => {
    const y = values[index] ?? null
    if (y === null) return
    // Hours from the start keep the squares small.
    const x = ((times[index] ?? 0) - start) / 3_600_000
    sums.count += sign
    sums.x += sign * x
    sums.y += sign * y
    sums.xx += sign * x * x
    sums.xy += sign * x * y
  }
  let first = 0
  return times.map((atMs, index) => {
    add(index, 1)
    while ((times[first] ?? atMs) < atMs - windowMs) {
      add(first, -1)
      first += 1
    }
    const now = values[index] ?? null
    if (now === null) return { atMs, value: null, isBreached: null }
    const spanMs = atMs - (times[first] ?? atMs)
    const { count, x, y, xx, xy } = sums
    const spread = count * xx - x * x
    if (count < minPoints || spanMs < windowMs * minPart || spread <= 0)
      return { atMs, value: null, isBreached: isBeyond(condition, now) }
    const slope = (count * xy - x * y) / spread
    const value = now + slope * (condition.withinMs / 3_600_000)
    return { atMs, value, isBreached: isBeyond(condition, value) || isBeyond(condition, now) }
  })
}
