import {
  type DatabaseDeviation,
  deviationOf,
  type JudgedMetric,
  judgedMetrics,
  type WaitClass,
  waitClasses,
} from '@bey/contract'

import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { floorTo } from '../../../platform/metrics/steps.ts'
import type { DatabaseRow } from '../store.ts'
import {
  type AskedMetric,
  type MeasuredMetric,
  readMeasured,
  rounded,
  type Values,
} from './measured-series.ts'
import type { RememberedUsual } from './remembered-usual.ts'
import type { UsualHours } from './usual-hours.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Now is the mean of so many minutes: a single look is chance. */
const nowMinutes = 5
const readMinutes = 10
/** How far back the beginning of a deviation is looked for, and after how many usual minutes it had ended. */
const searchedMs = 6 * hourMs
const usualMinutes = 3
/** Where more are outside at a time, something is wrong with all of them. */
const searchedDeviations = 20

type Deviation = DatabaseDeviation & { distance: number }
export type Judged = {
  load: number | null
  lagMs: number | null
  p95Ms: number | null
  /** The furthest out first. */
  deviations: Deviation[]
}

export type JudgeParts = { metrics: Pick<Metrics, 'read'>; usualOf: RememberedUsual }
type Judging = AskedMetric & { metric: JudgedMetric }

/** How databases are now, and what lies outside of what is usual at this hour of the week. By their ids. */
export async function judgeDatabases(
  { metrics, usualOf }: JudgeParts,
  organizationId: number,
  rows: readonly DatabaseRow[],
  nowMs: number,
): Promise<Map<string, Judged>> {
  const toMs = floorTo(nowMs, minuteMs) + minuteMs
  const recent = { fromMs: toMs - readMinutes * minuteMs, toMs, stepMs: minuteMs }
  const judged = rows.flatMap((row) => judgedMetrics.map((metric): Judging => ({ row, metric })))
  const lags = rows.map((row): AskedMetric => ({ row, metric: 'lag' }))
  const found = await readMeasured(metrics, organizationId, [...judged, ...lags], recent)
  // What is usual is asked only of what is measured now.
  const measured = judged.flatMap((each, index) => {
    const value = meanOfLast(found[index]?.values ?? [])
    return value === null ? [] : [{ ...each, value, found: found[index] }]
  })
  const thisHour = { fromMs: floorTo(nowMs, hourMs), toMs, stepMs: hourMs }
  const usual = await usualOf(organizationId, measured, thisHour)
  const outside = measured.flatMap((each, index) => {
    const hours = usual[index]
    const hour = hours?.usual.at(-1)
    const deviation = hour && deviationOf(each.metric, each.value, hour)
    return deviation && hours && hour ? [{ ...each, ...deviation, hours, median: hour.median }] : []
  })
  outside.sort((a, b) => b.distance - a.distance)
  const since = await findBeginnings(
    { metrics, usualOf },
    organizationId,
    outside.slice(0, searchedDeviations),
    toMs,
  )
  const result = new Map<string, Judged>(
    rows.map(({ id }, index) => [
      id,
      { load: null, p95Ms: null, lagMs: lastOf(found[judged.length + index]?.values ?? []), deviations: [] },
    ]),
  )
  for (const { row, metric, value } of measured) {
    const judgement = result.get(row.id)
    if (judgement && metric === 'load') judgement.load = value
    if (judgement && metric === 'latency') judgement.p95Ms = value
  }
  for (const [
    index,
    { row, metric, value, median, times, isSevere, distance, ...rest },
  ] of outside.entries()) {
    result.get(row.id)?.deviations.push({
      metric,
      value: rounded(value),
      median: rounded(median),
      times: rounded(times),
      isSevere,
      distance,
      since: isoOf(since[index]),
      wait: metric === 'load' ? waitOf(rest, value - median) : null,
    })
  }
  return result
}

/** Since when each has been outside without having been usual for some minutes again. */
async function findBeginnings(
  { metrics, usualOf }: JudgeParts,
  organizationId: number,
  outside: readonly Judging[],
  toMs: number,
): Promise<number[]> {
  if (outside.length === 0) return []
  const range = { fromMs: toMs - searchedMs, toMs, stepMs: minuteMs }
  const found = await readMeasured(metrics, organizationId, outside, range)
  const usual = await usualOf(organizationId, outside, range)
  return outside.map(({ metric }, index) => {
    const [values, hours] = [found[index]?.values ?? [], usual[index]]
    let [first, inside] = [values.length - 1, 0]
    for (let step = values.length - 1; step >= 0 && inside < usualMinutes; step -= 1) {
      const value = values[step] ?? null
      const atMs = range.fromMs + step * minuteMs
      const hour = hours?.usual[Math.floor((atMs - hours.fromMs) / hours.stepMs)]
      if (value === null || hour === undefined) continue
      if (deviationOf(metric, value, hour) === undefined) inside += 1
      else [first, inside] = [step, 0]
    }
    return range.fromMs + first * minuteMs
  })
}

/** What most of the sessions beyond the usual wait for; null where they are fewer than usual, or nothing stands out. */
function waitOf(
  { found, hours }: { found: MeasuredMetric | undefined; hours: UsualHours },
  beyond: number,
): WaitClass | null {
  if (beyond <= 0 || found?.parts.length !== waitClasses.length) return null
  const index = waitClasses.findIndex(
    (_, part) => (meanOfLast(found.parts[part] ?? []) ?? 0) - (hours.partMedians[part] ?? 0) > 0.5 * beyond,
  )
  return waitClasses[index] ?? null
}

function meanOfLast(values: Values): number | null {
  const measured = values.slice(-nowMinutes).filter((value) => value !== null)
  return measured.length === 0 ? null : measured.reduce((sum, value) => sum + value, 0) / measured.length
}

const isoOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())
const lastOf = (values: Values) => values.findLast((value) => value !== null) ?? null
