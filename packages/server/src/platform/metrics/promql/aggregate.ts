import type { Grouping } from './ast.ts'
import { evaluationError } from './evaluation-error.ts'
import { quantile } from './quantile.ts'
import type { SeriesLabels } from './reader.ts'
import { groupLabels, labelsKey, type Series, type Values } from './values.ts'

type Group = { labels: SeriesLabels; members: Series[] }

function groupsOf(series: readonly Series[], grouping: Grouping): Group[] {
  const groups = new Map<string, Group>()
  for (const each of series) {
    const labels = groupLabels(each.labels, grouping)
    const key = labelsKey(labels)
    const group = groups.get(key)
    if (group) group.members.push(each)
    else groups.set(key, { labels, members: [each] })
  }
  return [...groups.values()]
}

type Reduce = (values: readonly number[], parameter: number) => number

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]) => sum(values) / values.length

function variance(values: readonly number[]): number {
  const average = mean(values)
  return values.reduce((total, value) => total + (value - average) ** 2, 0) / values.length
}

/** NaN counts only where there is nothing else, as in Prometheus. */
const extreme = (isBetter: (value: number, best: number) => boolean) => (values: readonly number[]) => {
  let best = Number.NaN
  for (const value of values) if (Number.isNaN(best) || isBetter(value, best)) best = value
  return best
}

/** How values of one moment become one. They are never empty. */
export const reductions = {
  sum,
  avg: mean,
  min: extreme((value, best) => value < best),
  max: extreme((value, best) => value > best),
  count: (values) => values.length,
  group: () => 1,
  stddev: (values) => Math.sqrt(variance(values)),
  stdvar: variance,
  quantile: (values, parameter) => quantile(values, parameter),
} as const satisfies Readonly<Record<string, Reduce>>

/** Evaluates an aggregation. `parameter` has one value per step; `label` is that of `count_values`. */
export function aggregate(
  operator: string,
  series: readonly Series[],
  grouping: Grouping,
  parameter: readonly number[] | undefined,
  label: string | undefined,
): Series[] {
  const groups = groupsOf(series, grouping)
  if (operator === 'topk' || operator === 'bottomk') {
    return groups.flatMap(({ members }) => highest(members, parameter ?? [], operator === 'topk'))
  }
  if (operator === 'count_values') return groups.flatMap((group) => countValues(group, label ?? 'value'))
  const reduce: Reduce | undefined = reductions[operator as keyof typeof reductions] // checked by the parser
  if (!reduce) throw evaluationError(`The aggregation ${operator}() is not supported.`)
  return groups.map(({ labels, members }) => ({ labels, values: reduceSteps(members, reduce, parameter) }))
}

function reduceSteps(
  members: readonly Series[],
  reduce: Reduce,
  parameter: readonly number[] | undefined,
): Values {
  const steps = members[0]?.values.length ?? 0
  const values: Values = []
  const present: number[] = []
  for (let step = 0; step < steps; step += 1) {
    present.length = 0
    for (const { values: own } of members) {
      const value = own[step]
      if (value != null) present.push(value)
    }
    values.push(present.length === 0 ? null : reduce(present, parameter?.[step] ?? Number.NaN))
  }
  return values
}

function highest(members: readonly Series[], count: readonly number[], isTop: boolean): Series[] {
  const kept = members.map(({ labels, values }) => ({
    labels,
    values: values.map((): number | null => null),
  }))
  const steps = members[0]?.values.length ?? 0
  for (let step = 0; step < steps; step += 1) {
    const limit = Math.trunc(count[step] ?? 0)
    if (!(limit > 0)) continue
    const present = members.flatMap(({ values }, index) => {
      const value = values[step]
      return value == null ? [] : [{ index, value }]
    })
    // NaN comes last, whichever end is wanted.
    present.sort((a, b) =>
      Number.isNaN(a.value) ? 1 : Number.isNaN(b.value) ? -1 : isTop ? b.value - a.value : a.value - b.value,
    )
    for (const { index, value } of present.slice(0, limit)) {
      const series = kept[index]
      if (series) series.values[step] = value
    }
  }
  return kept.filter(({ values }) => values.some((value) => value !== null))
}

const maxCountedValues = 1_000

function countValues({ labels, members }: Group, label: string): Series[] {
  const counted = new Map<string, Values>()
  const steps = members[0]?.values.length ?? 0
  for (const { values } of members) {
    for (const [step, value] of values.entries()) {
      if (value === null) continue
      const text = numberText(value)
      let counts = counted.get(text)
      if (!counts) {
        if (counted.size >= maxCountedValues) {
          throw evaluationError(
            `count_values() found more than ${maxCountedValues} different values. Round them first, for example with floor().`,
          )
        }
        counted.set(text, (counts = Array.from({ length: steps }, () => null)))
      }
      counts[step] = (counts[step] ?? 0) + 1
    }
  }
  return [...counted].map(([text, values]) => ({ labels: { ...labels, [label]: text }, values }))
}

/** A number as Prometheus writes it. */
export function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  if (value === Number.NEGATIVE_INFINITY) return '-Inf'
  return String(value)
}
