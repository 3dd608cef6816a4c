import { metricQueryBounds } from '@bey/contract'

import type { ReadRange } from '../read.ts'
import { aggregate } from './aggregate.ts'
import { type Expr, setOperators } from './ast.ts'
import { applyOperator, setOperation, vectorToVector, withScalar } from './binary.ts'
import { callFunction } from './call-function.ts'
import { type Context, createContext } from './context.ts'
import { evaluationError } from './evaluation-error.ts'
import { mergeSeries } from './merge-series.ts'
import { readInstant } from './read-selector.ts'
import type { SeriesReader } from './reader.ts'
import { type Series, type Value, withoutName } from './values.ts'

export type Evaluated = { type: 'scalar' | 'vector'; series: Series[]; warnings: string[] }

/**
 * Evaluates an expression in each step of a range, whose bounds are multiples of its step. Reads through the port alone.
 * Throws AppError `invalid_request` with a sentence where the answer is ambiguous or too much would be read.
 */
export async function evaluatePromql(
  reader: SeriesReader,
  expr: Expr,
  range: ReadRange,
  nowMs: number,
): Promise<Evaluated> {
  const context = createContext(reader, range, nowMs)
  const value = await evaluate(context, expr)
  if (value.type === 'string') throw evaluationError('A text alone has no value to draw.')
  const series = value.type === 'scalar' ? [{ labels: {}, values: value.values }] : value.series
  return {
    type: value.type,
    series: series.filter(({ values }) => values.some((each) => each !== null)),
    warnings: [...context.warnings].slice(0, 20),
  }
}

async function evaluate(context: Context, expr: Expr): Promise<Value> {
  await context.breathe()
  switch (expr.kind) {
    case 'number':
      return { type: 'scalar', values: Array.from({ length: context.stepCount }, () => expr.value) }
    case 'string':
      return { type: 'string', text: expr.value }
    case 'selector':
      return { type: 'vector', series: await readInstant(context, expr) }
    case 'negate':
      return negate(await evaluate(context, expr.operand))
    case 'call':
      return callFunction(context, expr, (each) => evaluate(context, each))
    case 'aggregate':
      return { type: 'vector', series: await evaluateAggregate(context, expr) }
    case 'binary':
      return evaluateBinary(context, expr)
  }
}

function negate(value: Value): Value {
  if (value.type === 'string') return value
  if (value.type === 'scalar') return { type: 'scalar', values: value.values.map((each) => -each) }
  const series = value.series.map(({ labels, values }) => ({
    labels: withoutName(labels),
    values: values.map((each) => (each === null ? null : -each)),
  }))
  return { type: 'vector', series: mergeSeries(series, 'the sign') }
}

const seriesOf = (value: Value): Series[] => (value.type === 'vector' ? value.series : [])

async function evaluateAggregate(
  context: Context,
  expr: Extract<Expr, { kind: 'aggregate' }>,
): Promise<Series[]> {
  const operand = seriesOf(await evaluate(context, expr.operand))
  const parameter = expr.parameter && (await evaluate(context, expr.parameter))
  await context.breathe()
  return aggregate(
    expr.operator,
    operand,
    expr.grouping,
    parameter?.type === 'scalar' ? parameter.values : undefined,
    parameter?.type === 'string' ? parameter.text : undefined,
  )
}

async function evaluateBinary(context: Context, expr: Extract<Expr, { kind: 'binary' }>): Promise<Value> {
  const left = await evaluate(context, expr.left)
  const right = await evaluate(context, expr.right)
  await context.breathe()
  if (left.type === 'scalar' && right.type === 'scalar') {
    const values = left.values.map((value, step) =>
      applyOperator(expr.operator, value, right.values[step] ?? Number.NaN),
    )
    return { type: 'scalar', values }
  }
  if (left.type === 'scalar') {
    return { type: 'vector', series: withScalar(expr, seriesOf(right), left.values, true) }
  }
  if (right.type === 'scalar') {
    return { type: 'vector', series: withScalar(expr, seriesOf(left), right.values, false) }
  }
  const isSet = setOperators.some((operator) => operator === expr.operator)
  const series = (isSet ? setOperation : vectorToVector)(expr, seriesOf(left), seriesOf(right))
  if (series.length > metricQueryBounds.maxSeriesTouched) {
    throw evaluationError(`"${expr.operator}" makes ${series.length} series. Aggregate them first.`)
  }
  return { type: 'vector', series }
}
