import type { ServiceCell } from '@bey/contract'

type Values = readonly (number | null)[]

/** Pure: the worst that was measured in each step. `measured` says whether anything was. */
export function cellsOf(measured: Values, failing: Values, degraded: Values): ServiceCell[] {
  return measured.map((value, index) => {
    if (value === null) return 'none'
    if ((failing[index] ?? 0) > 0) return 'failing'
    return (degraded[index] ?? 0) > 0 ? 'warn' : 'ok'
  })
}

/** Pure: events per step, from the step in which something could first happen; null before. */
export function eventsBySteps(
  events: readonly { atMs: number }[],
  range: { fromMs: number; stepMs: number; count: number },
  sinceMs: number,
): (number | null)[] {
  const counts = Array.from({ length: range.count }, (_, index): number | null =>
    range.fromMs + (index + 1) * range.stepMs <= sinceMs ? null : 0,
  )
  for (const { atMs } of events) {
    const index = Math.floor((atMs - range.fromMs) / range.stepMs)
    const before = counts[index]
    if (before !== undefined) counts[index] = (before ?? 0) + 1
  }
  return counts
}

/** Pure: values as shares of the highest; null where nothing is above zero. A curve of nothing says nothing. */
export function sharesOf(values: Values): (number | null)[] | null {
  const most = Math.max(0, ...values.map((value) => value ?? 0))
  // Four fifths: the small lines of rows end there.
  return most === 0 ? null : values.map((value) => (value === null ? null : round((value / most) * 0.8)))
}

export const round = (share: number) => Number(share.toFixed(4))
