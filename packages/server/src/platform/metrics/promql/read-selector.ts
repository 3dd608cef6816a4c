import { metricDescription } from '@bey/contract'

import { floorTo, shownSteps } from '../steps.ts'
import type { Selector } from './ast.ts'
import type { Context } from './context.ts'
import type { SeriesLabels } from './reader.ts'
import type { Window } from './over-time.ts'
import { nameLabel, type Series, type Values } from './values.ts'

/** How long the last value stands for a step of seconds in which nothing was measured yet. */
const lookbackMs = 60_000

/** A selector without a range: in each step the average that the store has of it. */
export async function readInstant(context: Context, { matchers, offsetMs }: Selector): Promise<Series[]> {
  const { reader, range, stepCount } = context
  const fromMs = range.fromMs - offsetMs
  const finestMs = reader.finestStepMs(fromMs)
  const isCoarse = finestMs > range.stepMs
  const stepMs = isCoarse ? finestMs : range.stepMs
  // Steps of the store are kept as they are, so that an offset is rounded to whole ones.
  const firstMs = floorTo(fromMs, isCoarse ? stepMs : finestMs)
  const count = isCoarse ? Math.ceil((range.toMs - offsetMs - firstMs) / stepMs) : stepCount
  const back = Math.max(0, Math.ceil(lookbackMs / stepMs) - 1)
  const found = await reader.select(matchers, firstMs - back * stepMs)
  context.count(found.length, found.length * (count + back))
  const values = await reader.read(found, {
    fromMs: firstMs - back * stepMs,
    toMs: firstMs + count * stepMs,
    stepMs,
  })
  if (isCoarse && found.length > 0) warnCoarse(context, finestMs)
  return found.map(({ labels }, index) => ({
    labels,
    values: stepsOf(values[index] ?? [], { back, stepCount }, (step) =>
      isCoarse ? Math.floor((fromMs + step * range.stepMs - firstMs) / stepMs) : step,
    ),
  }))
}

function stepsOf(
  read: Values,
  { back, stepCount }: { back: number; stepCount: number },
  placeOf: (step: number) => number,
): Values {
  return Array.from({ length: stepCount }, (_, step) => {
    const place = placeOf(step) + back
    for (let age = 0; age <= back; age += 1) {
      const value = read[place - age]
      if (value != null) return value
    }
    return null
  })
}

function warnCoarse(context: Context, finestMs: number): void {
  const kept =
    finestMs >= 3_600_000
      ? 'older than 2 days are kept as averages of an hour'
      : 'older than 2 hours are kept as averages of a minute'
  context.warnings.add(`Values ${kept}, which is coarser than the step of this chart.`)
}

/** The step in which the values of a window are read: about 20 of them, if the store still has them. */
function innerStepMs(windowMs: number, outerMs: number, finestMs: number): number {
  const fitting = shownSteps.filter((step) => step >= finestMs && outerMs % step === 0)
  return fitting.findLast((step) => step <= windowMs / 20) ?? fitting[0] ?? finestMs
}

export type Windows = {
  labels: SeriesLabels
  /** The window of each step; undefined where it holds no value. */
  at(step: number): Window | undefined
}

/**
 * A selector with a range. A window that is shorter than `leastValues` stored steps is widened to them; `widening` is the
 * written length divided by that which was read.
 */
export async function readWindows(
  context: Context,
  { matchers, offsetMs, rangeMs = 0 }: Selector,
  leastValues: number,
): Promise<{ series: Windows[]; widening: number }> {
  const { reader, range, stepCount, nowMs } = context
  const finestMs = reader.finestStepMs(range.fromMs - offsetMs - rangeMs)
  const stepMs = innerStepMs(rangeMs, range.stepMs, finestMs)
  const windowMs = Math.max(rangeMs, leastValues * stepMs)
  if (windowMs > rangeMs) {
    context.warnings.add(
      `Values of this range are kept in steps of ${secondsText(stepMs)}, so a window of ${secondsText(windowMs)} is read instead of ${secondsText(rangeMs)}.`,
    )
  }
  // The step that is still going on ends with what was measured last.
  const lastEndMs = floorTo(nowMs, stepMs) + stepMs
  const endOf = (step: number) => Math.min(range.fromMs + (step + 1) * range.stepMs, lastEndMs) - offsetMs
  const firstMs = floorTo(endOf(0) - windowMs, stepMs)
  const toMs = firstMs + Math.ceil((endOf(stepCount - 1) - firstMs) / stepMs) * stepMs
  const found = await reader.select(matchers, firstMs)
  context.count(found.length, found.length * Math.max(1, Math.round((toMs - firstMs) / stepMs)))
  const values = await reader.read(found, { fromMs: firstMs, toMs, stepMs })
  const grid = { firstMs, stepMs, windowMs, endOf }
  return {
    series: found.map(({ labels }, index) => ({ labels, at: windowsOf(values[index] ?? [], grid) })),
    widening: rangeMs / windowMs,
  }
}

function windowsOf(
  read: Values,
  {
    firstMs,
    stepMs,
    windowMs,
    endOf,
  }: { firstMs: number; stepMs: number; windowMs: number; endOf(step: number): number },
): (step: number) => Window | undefined {
  return (step) => {
    const endMs = endOf(step)
    const startMs = endMs - windowMs
    const values: number[] = []
    const times: number[] = []
    // A stored step belongs to the window in which its middle lies.
    const half = stepMs / 2
    const first = Math.max(0, Math.ceil((startMs - half - firstMs) / stepMs))
    for (let index = first; firstMs + index * stepMs + half < endMs && index < read.length; index += 1) {
      const value = read[index]
      if (value == null) continue
      values.push(value)
      times.push((firstMs + index * stepMs + half) / 1_000)
    }
    return values.length === 0 ? undefined : { values, times, startS: startMs / 1_000, endS: endMs / 1_000 }
  }
}

/** Says that a function for counters was given a gauge; Prometheus would answer the same figures without a word. */
export function warnGauge(context: Context, name: string, series: readonly { labels: SeriesLabels }[]): void {
  for (const metric of new Set(series.map(({ labels }) => labels[nameLabel]))) {
    if (metric === undefined || !metricDescription(metric)) continue
    context.warnings.add(
      /_per_(?:second|minute)$/.test(metric)
        ? `${metric} is a rate already: use it as it is, or avg_over_time(). ${name}() reads each fall of it as a restart of a counter.`
        : `${metric} is a gauge: use delta() or deriv(). ${name}() reads each fall of it as a restart of a counter.`,
    )
  }
}

function secondsText(ms: number): string {
  const seconds = ms / 1_000
  if (seconds % 86_400 === 0) return `${seconds / 86_400} d`
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}
