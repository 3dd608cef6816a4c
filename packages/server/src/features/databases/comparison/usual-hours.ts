import { type UsualHour, usualHour, usualRules } from '@bey/contract'

import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { floorTo } from '../../../platform/metrics/steps.ts'
import { type AskedMetric, type MeasuredMetric, readMeasured, type Values } from './measured-series.ts'

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs
const { weeks, deviations } = usualRules.chosen

export type UsualHours = {
  /** Where the first of the hours begins; of long ranges they are several hours each. */
  fromMs: number
  stepMs: number
  usual: (UsualHour | undefined)[]
  measuredWeeks: number
  /** The medians of the parts in the last of the hours, in their order. */
  partMedians: number[]
}

/** What was usual in each hour of a range, of several metrics: the same hours of the weeks before, and the ones beside. */
export async function readUsual(
  metrics: Pick<Metrics, 'read'>,
  organizationId: number,
  asked: readonly AskedMetric[],
  range: { fromMs: number; toMs: number; stepMs: number },
): Promise<UsualHours[]> {
  const stepMs = Math.max(hourMs, range.stepMs)
  const firstMs = floorTo(range.fromMs, stepMs)
  const count = Math.ceil((range.toMs - firstMs) / stepMs)
  const past = await readWeeks(metrics, organizationId, asked, { firstMs, stepMs, count })
  return asked.map((_, index) => {
    const ofWeeks = past.map((week) => week[index] ?? { values: [], parts: [] })
    // A step of several hours has enough of them: the ones beside it are of another time of day.
    const around = (values: Values, step: number) =>
      stepMs > hourMs ? values.slice(step + 1, step + 2) : values.slice(step, step + 3)
    const partCount = ofWeeks[0]?.parts.length ?? 0
    return {
      fromMs: firstMs,
      stepMs,
      usual: Array.from({ length: count }, (_unused, step) =>
        usualHour(
          ofWeeks.map(({ values }) => around(values, step)),
          deviations,
        ),
      ),
      measuredWeeks: ofWeeks.filter(({ values }) => values.some((value) => value !== null)).length,
      partMedians: Array.from(
        { length: partCount },
        (_unused, part) =>
          usualHour(
            ofWeeks.map(({ parts }) => around(parts[part] ?? [], count - 1)),
            deviations,
          )?.median ?? 0,
      ),
    }
  })
}

/** The weeks before, the last one first. Each begins a step before the range and ends a step after it. */
async function readWeeks(
  metrics: Pick<Metrics, 'read'>,
  organizationId: number,
  asked: readonly AskedMetric[],
  { firstMs, stepMs, count }: { firstMs: number; stepMs: number; count: number },
): Promise<MeasuredMetric[][]> {
  const stepsOfWeek = weekMs / stepMs
  const fromMs = firstMs - weeks * weekMs - stepMs
  if (count + 2 < stepsOfWeek) {
    const found: MeasuredMetric[][] = []
    for (let week = 1; week <= weeks; week += 1) {
      const before = firstMs - week * weekMs - stepMs
      const range = { fromMs: before, toMs: before + (count + 2) * stepMs, stepMs }
      // One after another: a comparison must not take the connections of everybody else.
      // oxlint-disable-next-line no-await-in-loop
      found.push(await readMeasured(metrics, organizationId, asked, range))
    }
    return found
  }
  // The weeks before a long range overlap: they are read once.
  const toMs = firstMs - weekMs + (count + 1) * stepMs
  const all = await readMeasured(metrics, organizationId, asked, { fromMs, toMs, stepMs })
  return Array.from({ length: weeks }, (_, index) => {
    const start = (weeks - 1 - index) * stepsOfWeek
    const part = (values: Values) => values.slice(start, start + count + 2)
    return all.map(({ values, parts }) => ({ values: part(values), parts: parts.map(part) }))
  })
}
