import type { ChartPanel, ChartRange, ChartSeries } from './chart-types.ts'

/** A curve that begins after this share of the range began is drawn from where it begins. */
const mostEmpty = 0.5
/** One value alone still has some time around it. */
const leastSteps = 4

export interface Shown<P> {
  times: readonly number[]
  range: ChartRange
  panels: readonly P[]
  /** When the first value was measured, where the range begins there; undefined where the asked range is shown. */
  sinceMs: number | undefined
}

type Drawn = Pick<ChartPanel, 'series' | 'references' | 'band'>

/**
 * What of a range a chart shows: all of it, or what there is where most of the range lies before the first value, so that
 * an hour of data fills the chart instead of its right edge. A range that a person selected is shown as selected.
 */
export function shownPart<P extends Drawn>(
  { times, range, panels }: Pick<Shown<P>, 'times' | 'range' | 'panels'>,
  isSelected = false,
): Shown<P> {
  const whole = { times, range, panels, sinceMs: undefined }
  const first = times.findIndex((_, at) =>
    panels.some(({ series }) => series.some(({ values }) => typeof values[at] === 'number')),
  )
  const sinceMs = times[first]
  if (isSelected || sinceMs === undefined) return whole
  if (sinceMs - range.fromMs <= (range.toMs - range.fromMs) * mostEmpty) return whole
  const begin = Math.max(0, Math.min(first, times.length - leastSteps))
  const cut = (all: readonly ChartSeries[]) =>
    all.map((each) => ({ ...each, values: each.values.slice(begin) }))
  return {
    times: times.slice(begin),
    range: { fromMs: times[begin] ?? sinceMs, toMs: range.toMs },
    panels: panels.map((panel) => ({
      ...panel,
      series: cut(panel.series),
      ...(panel.references && { references: cut(panel.references) }),
      ...(panel.band && { band: { low: panel.band.low.slice(begin), high: panel.band.high.slice(begin) } }),
    })),
    sinceMs,
  }
}
