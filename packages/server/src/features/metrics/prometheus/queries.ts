import { AppError } from '../../../platform/errors.ts'
import { numberText } from '../../../platform/metrics/promql/aggregate.ts'
import { parsePromql } from '../../../platform/metrics/promql/parse.ts'
import type { ReadRange } from '../../../platform/metrics/read.ts'
import { floorTo, steps } from '../../../platform/metrics/steps.ts'
import type { MetricQueries, QueryCaller } from '../query.ts'
import { bad, expressionOf, type Parameters, stepOf, timeOf } from './parameters.ts'
import { ExecutionError } from './replies.ts'

/** As many as Prometheus answers. */
const maxSteps = 11_000
const maxRangeMs = 366 * 86_400_000
const finestMs = steps.sample.stepMs

type Answered = { data: { resultType: string; result: unknown }; warnings: string[] }
type Point = [seconds: number, value: string]

const point = (ms: number, value: number): Point => [ms / 1_000, numberText(value)]

async function evaluate(
  queries: MetricQueries,
  caller: QueryCaller,
  parameters: Parameters,
  range: ReadRange,
) {
  const expr = expressionOf(parameters)
  parsePromql(expr)
  try {
    return await queries.query(caller, expr, range)
  } catch (error) {
    // It could be read, so its evaluation is what failed.
    if (error instanceof AppError && error.code === 'invalid_request') throw new ExecutionError(error.message)
    throw error
  }
}

const metricOf = ({ name, labels }: { name: string | null; labels: Record<string, string> }) => ({
  ...(name !== null && { __name__: name }),
  ...labels,
})

/** `query`: the value in the 15 s in which the time lies. */
export async function answerInstant(
  queries: MetricQueries,
  caller: QueryCaller,
  parameters: Parameters,
  nowMs: number,
): Promise<Answered> {
  const atMs = timeOf(parameters, 'time', nowMs)
  const fromMs = floorTo(atMs, finestMs)
  const range = { fromMs, toMs: fromMs + finestMs, stepMs: finestMs }
  const { type, series, warnings } = await evaluate(queries, caller, parameters, range)
  if (type === 'scalar') {
    return {
      data: { resultType: 'scalar', result: point(atMs, series[0]?.values[0] ?? Number.NaN) },
      warnings,
    }
  }
  const result = series.flatMap((each) => {
    const value = each.values[0]
    return value == null ? [] : [{ metric: metricOf(each), value: point(atMs, value) }]
  })
  return { data: { resultType: 'vector', result }, warnings }
}

/** `query_range`: at `start` and every `step` after it, the value of the stored step in which that time lies. */
export async function answerRange(
  queries: MetricQueries,
  caller: QueryCaller,
  parameters: Parameters,
): Promise<Answered> {
  const startMs = timeOf(parameters, 'start')
  const endMs = timeOf(parameters, 'end')
  // Nothing is stored in finer steps than 15 s.
  const stepMs = Math.ceil(stepOf(parameters) / finestMs) * finestMs
  if (endMs < startMs) throw bad('The parameter "end" is before "start".')
  if (endMs - startMs > maxRangeMs) throw bad('The range from "start" to "end" is longer than 366 days.')
  const count = Math.floor((endMs - startMs) / stepMs) + 1
  if (count > maxSteps) {
    throw bad(`The range has ${count} steps, more than ${maxSteps}. Use a longer step or a shorter range.`)
  }
  const fromMs = floorTo(startMs, stepMs)
  const range = { fromMs, toMs: fromMs + count * stepMs, stepMs }
  const { series, warnings } = await evaluate(queries, caller, parameters, range)
  const result = series.map((each) => ({
    metric: metricOf(each),
    values: each.values.flatMap((value, index) =>
      value === null ? [] : [point(startMs + index * stepMs, value)],
    ),
  }))
  return { data: { resultType: 'matrix', result }, warnings }
}
