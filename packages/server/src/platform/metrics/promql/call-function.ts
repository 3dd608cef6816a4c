import type { Expr } from './ast.ts'
import type { Context } from './context.ts'
import { elementwise, timeFunctions } from './elementwise.ts'
import { evaluationError } from './evaluation-error.ts'
import { counterFunctions } from './functions.ts'
import { labelJoin, labelReplace } from './label-functions.ts'
import { mergeSeries } from './merge-series.ts'
import { overTime } from './over-time.ts'
import { readWindows, warnGauge } from './read-selector.ts'
import type { SeriesLabels } from './reader.ts'
import { nameLabel, type Series, type Value, type Values, withoutName } from './values.ts'

type Call = Extract<Expr, { kind: 'call' }>
type Evaluate = (expr: Expr) => Promise<Value>

const vector = (series: Series[]): Value => ({ type: 'vector', series })
const seriesOf = (value: Value | undefined): Series[] => (value?.type === 'vector' ? value.series : [])
const numbersOf = (value: Value | undefined): number[] => (value?.type === 'scalar' ? value.values : [])

/** Evaluates a call whose arguments the parser has checked. */
export async function callFunction(context: Context, call: Call, evaluate: Evaluate): Promise<Value> {
  const { name, args } = call
  const selector = args.find((arg) => arg.kind === 'selector' && arg.rangeMs !== undefined)
  if (selector?.kind === 'selector') {
    const [other] = args.filter((arg) => arg !== selector)
    const parameter = other && numbersOf(await evaluate(other))
    return name === 'absent_over_time'
      ? vector([absence(await presentWindows(context, selector), selector)])
      : vector(await callOverTime(context, name, selector, parameter))
  }
  if (name === 'time') {
    const { fromMs, stepMs } = context.range
    return { type: 'scalar', values: steps(context, (step) => (fromMs + step * stepMs) / 1_000) }
  }
  const values: Value[] = []
  for (const arg of args) values.push(await evaluate(arg))
  return callOnVector(context, call, values)
}

const steps = <T>({ stepCount }: Context, valueAt: (step: number) => T): T[] =>
  Array.from({ length: stepCount }, (_, step) => valueAt(step))

function callOnVector(context: Context, { name, args }: Call, values: readonly Value[]): Value {
  const series = seriesOf(values[0])
  const texts = values.slice(1).flatMap((value) => (value.type === 'string' ? [value.text] : []))
  switch (name) {
    case 'vector':
      return vector([{ labels: {}, values: numbersOf(values[0]) }])
    case 'scalar':
      return { type: 'scalar', values: steps(context, (step) => onlyValue(series, step)) }
    case 'absent':
      return vector([absence(present(context, series), args[0])])
    case 'sort':
      return vector(series.toSorted((a, b) => lastValue(a) - lastValue(b)))
    case 'sort_desc':
      return vector(series.toSorted((a, b) => lastValue(b) - lastValue(a)))
    case 'label_replace':
      return vector(labelReplace(series, texts))
    case 'label_join':
      return vector(labelJoin(series, texts))
    default:
      return vector(callElementwise(context, name, values))
  }
}

function callElementwise(context: Context, name: string, values: readonly Value[]): Series[] {
  const compute = elementwise.get(name)
  if (!compute) throw evaluationError(`The function ${name}() is not supported.`)
  const { fromMs, stepMs } = context.range
  const series =
    timeFunctions.has(name) && values.length === 0
      ? [{ labels: {}, values: steps(context, (step) => (fromMs + step * stepMs) / 1_000) }]
      : seriesOf(values[0])
  const first = numbersOf(values[1])
  const second = numbersOf(values[2])
  const computed = series.map((each) => ({
    labels: withoutName(each.labels),
    values: each.values.map((value, step) => {
      if (value === null) return null
      const a = first[step] ?? Number.NaN
      const b = second[step] ?? Number.NaN
      return name === 'clamp' && a > b ? null : compute(value, a, b)
    }),
  }))
  return mergeSeries(computed, `${name}()`)
}

/** Functions that need two values of a window. */
const needsTwo: ReadonlySet<string> = new Set([
  'rate',
  'irate',
  'increase',
  'delta',
  'idelta',
  'deriv',
  'predict_linear',
])
/** Functions whose answer grows with the length of the window. */
const growsWithWindow: ReadonlySet<string> = new Set(['increase', 'delta'])

async function callOverTime(
  context: Context,
  name: string,
  selector: Extract<Expr, { kind: 'selector' }>,
  parameter: readonly number[] = [],
): Promise<Series[]> {
  const compute = overTime.get(name)
  if (!compute) throw evaluationError(`The function ${name}() is not supported.`)
  const { series, widening } = await readWindows(context, selector, needsTwo.has(name) ? 2 : 1)
  if (counterFunctions.has(name)) warnGauge(context, name, series)
  const factor = growsWithWindow.has(name) ? widening : 1
  const computed: Series[] = []
  for (const { labels, at } of series) {
    await context.breathe()
    const values = steps(context, (step) => {
      const window = at(step)
      const value = window ? compute(window, parameter[step] ?? Number.NaN) : null
      return value === null ? null : value * factor
    })
    computed.push({ labels: name === 'last_over_time' ? labels : withoutName(labels), values })
  }
  return mergeSeries(computed, `${name}()`)
}

async function presentWindows(
  context: Context,
  selector: Extract<Expr, { kind: 'selector' }>,
): Promise<boolean[]> {
  const { series } = await readWindows(context, selector, 1)
  return steps(context, (step) => series.some(({ at }) => at(step) !== undefined))
}

const present = (context: Context, series: readonly Series[]) =>
  steps(context, (step) => series.some(({ values }) => values[step] != null))

/** 1 where nothing is present, with the labels that the selector asks for by equality. */
function absence(isPresent: readonly boolean[], expr: Expr | undefined): Series {
  const labels: Record<string, string> = {}
  const doubled = new Set<string>()
  if (expr?.kind === 'selector') {
    for (const { label, operator, value } of expr.matchers) {
      if (label === nameLabel) continue
      if (operator !== '=' || label in labels) doubled.add(label)
      else labels[label] = value
    }
  }
  for (const label of doubled) delete labels[label]
  return {
    labels: labels satisfies SeriesLabels,
    values: isPresent.map((there): number | null => (there ? null : 1)) satisfies Values,
  }
}

function onlyValue(series: readonly Series[], step: number): number {
  const values = series.flatMap(({ values: own }) => {
    const value = own[step]
    return value == null ? [] : [value]
  })
  return values.length === 1 ? (values[0] ?? Number.NaN) : Number.NaN
}

/** The newest value; −Infinity without one. */
export const lastValue = ({ values }: Series) => {
  const value = values.findLast((each) => each !== null) ?? Number.NEGATIVE_INFINITY
  return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value
}
