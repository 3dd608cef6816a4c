import { type HandlerOutput, isUnusual, type ParsedInput, usualHour } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import type { ReadRange } from '../../platform/metrics/read.ts'
import { floorTo } from '../../platform/metrics/steps.ts'
import { parsePromql } from '../../platform/metrics/promql/parse.ts'
import type { MetricQueries, QueriedSeries, QueryCaller } from './query.ts'
import { rangeOf, sourceRangeOf } from './range.ts'

type Usual = HandlerOutput<'metrics.usual'>

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

/**
 * Compares one series of an expression with the same hours of the weeks before, which are averages of an hour. The hours
 * beside the same one are of the same time of day too, and make the deviation known.
 */
export function createUsual({ query, clock }: { query: MetricQueries['query']; clock: Clock }) {
  return async function usual(of: QueryCaller, asked: ParsedInput<'metrics.usual'>['query']): Promise<Usual> {
    const { expr, weeks, deviations, series: chosen, range: seconds = 3_600, end } = asked
    const { source } = asked
    // Refused before anything is read.
    if (source === undefined) parsePromql(expr)
    const range = (source === undefined ? rangeOf : sourceRangeOf)(
      { range: seconds, end },
      clock.now().getTime(),
    )
    const { series, unit } = await query(of, expr, range, source)
    const key = chosen === undefined ? undefined : keyOfText(chosen)
    const isOne = chosen === undefined && series.length === 1
    const current = isOne ? series[0] : series.find((each) => keyOf(each) === key)
    const nothing = { measuredWeeks: 0, hours: [], newest: null, unit }
    if (current === undefined)
      return { state: chosen === undefined && series.length > 1 ? 'several' : 'gone', ...nothing }

    const first = floorTo(range.fromMs, hourMs)
    const count = Math.ceil((range.toMs - first) / hourMs)
    const past: (number | null)[][] = []
    // One after another: a comparison must not take the connections of everybody else.
    for (let week = 1; week <= weeks; week += 1) {
      const before: ReadRange = {
        fromMs: first - week * weekMs - hourMs,
        toMs: first - week * weekMs + (count + 1) * hourMs,
        stepMs: hourMs,
      }
      const answer = await query(of, expr, before, source)
      past.push(answer.series.find((each) => keyOf(each) === keyOf(current))?.values ?? [])
    }
    // A week begins an hour before the range: the hour itself is the middle one of three.
    const usualOf = (hour: number) =>
      usualHour(
        past.map((week) => week.slice(hour, hour + 3)),
        deviations,
      )
    const hours = Array.from({ length: count }, (_, hour) => ({
      from: new Date(first + hour * hourMs).toISOString(),
      usual: usualOf(hour) ?? null,
    }))
    const newest = newestOf(current, range)
    const hour = newest ? Math.floor((newest.atMs - first) / hourMs) : 0
    const then = newest ? usualOf(hour) : undefined
    return {
      state: hours.some(({ usual: each }) => each !== null) ? 'ready' : 'short_history',
      measuredWeeks: past.filter((week) => week.some((value) => value !== null)).length,
      hours,
      newest:
        newest && then
          ? {
              at: new Date(newest.atMs).toISOString(),
              value: newest.value,
              usual: then,
              isUnusual: isUnusual(newest.value, then),
              weeks: past.map((week) => week[hour + 1] ?? null),
            }
          : null,
      unit,
    }
  }
}

function newestOf({ values }: QueriedSeries, { fromMs, stepMs }: ReadRange) {
  const step = values.findLastIndex((value) => value !== null && Number.isFinite(value))
  const value = values[step]
  return typeof value === 'number' ? { atMs: fromMs + step * stepMs, value } : undefined
}

function keyOf({ name, labels }: Pick<QueriedSeries, 'name' | 'labels'>): string {
  return sorted(name === null ? labels : { ...labels, __name__: name })
}

/** A key as a caller writes it; what is no object of texts is the key of no series. */
function keyOfText(text: string): string | undefined {
  try {
    const labels: unknown = JSON.parse(text)
    return typeof labels === 'object' && labels !== null ? sorted({ ...labels }) : undefined
  } catch {
    return undefined
  }
}

const sorted = (labels: Record<string, unknown>) =>
  JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)))
