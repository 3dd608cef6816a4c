import type { AlertReplay } from '../../data/alerts.ts'

/** The range of values that a chart shows, with room above the limit to drag it, and round figures between. */
export function scaleOf(series: AlertReplay['series'], limit: number | undefined) {
  let most = limit ?? 0
  let least = Math.min(0, limit ?? 0)
  for (const { values } of series) {
    for (const value of values) {
      if (value === null) continue
      most = Math.max(most, value)
      least = Math.min(least, value)
    }
  }
  const step = niceStep(((most - least || 1) * 1.2) / 5)
  const top = Math.ceil(((most - least || 1) * 1.1 + least) / step) * step
  const bottom = Math.floor(least / step) * step
  const ticks = Array.from({ length: Math.round((top - bottom) / step) + 1 }, (_, index) =>
    Number((bottom + index * step).toPrecision(12)),
  )
  return { most: top, least: bottom, ticks }
}

function niceStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw))
  const share = raw / power
  return (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10) * power
}

/** A line through values; where nothing was measured it breaks. */
export function linePath(
  times: readonly number[],
  values: readonly (number | null)[],
  x: (seconds: number) => number,
  y: (value: number) => number,
): string {
  let path = ''
  let isOpen = false
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isOpen = false
      continue
    }
    path += `${isOpen ? 'L' : 'M'}${x(times[index] ?? 0).toFixed(1)},${y(value).toFixed(1)}`
    isOpen = true
  }
  return path
}
