import { metricBounds } from '@bey/contract'

import type { ReadRange } from '../../platform/metrics/read.ts'
import { finestStepMs, floorTo, shownStepFor } from '../../platform/metrics/steps.ts'

/**
 * A range of `range` seconds that ends at `end`, an RFC 3339 time, now by default. Its bounds are multiples of the step,
 * the last of which is the one that `end` lies in. `step` is in seconds; the one chosen is not finer than what is stored.
 */
export function rangeOf(
  query: { range: number; end?: string | undefined; step?: number | undefined },
  nowMs: number,
): ReadRange {
  return rangeFrom(query, nowMs, finestStepMs)
}

/** The same of a data source, of which nobody knows what it still has: its steps are as fine as asked for. */
export function sourceRangeOf(query: Parameters<typeof rangeOf>[0], nowMs: number): ReadRange {
  return rangeFrom(query, nowMs, () => 0)
}

function rangeFrom(
  query: Parameters<typeof rangeOf>[0],
  nowMs: number,
  finestAt: (ageMs: number) => number,
): ReadRange {
  const endMs = Math.min(query.end === undefined ? nowMs : Date.parse(query.end), nowMs)
  const rangeMs = query.range * 1000
  const storedMs = finestAt(nowMs - (endMs - rangeMs))
  const asked = query.step === undefined ? shownStepFor(rangeMs, storedMs) : query.step * 1000
  const finest = Math.max(storedMs, rangeMs / metricBounds.maxPoints)
  const stepMs = asked >= finest ? asked : shownStepFor(rangeMs, storedMs, metricBounds.maxPoints)
  const toMs = floorTo(endMs, stepMs) + stepMs
  // One more step than the range, for the bounds lie within steps.
  return {
    fromMs: Math.max(floorTo(endMs - rangeMs, stepMs), toMs - metricBounds.maxPoints * stepMs),
    toMs,
    stepMs,
  }
}
