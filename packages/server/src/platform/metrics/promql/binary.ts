import type { Expr, Matching } from './ast.ts'
import { comparisons } from './ast.ts'
import { evaluationError, labelsText } from './evaluation-error.ts'
import { mergeSeries } from './merge-series.ts'
import type { SeriesLabels } from './reader.ts'
import {
  labelsKey,
  matchLabels,
  nameLabel,
  pickLabels,
  type Series,
  type Values,
  withoutName,
} from './values.ts'

export type Binary = Pick<Extract<Expr, { kind: 'binary' }>, 'operator' | 'isBool' | 'matching'>

const isComparison = (operator: string) => comparisons.some((each) => each === operator)

/** The result of an arithmetic operator, or 1 and 0 of a comparison. */
export function applyOperator(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '%':
      return a % b
    case '^':
      return a ** b
    case 'atan2':
      return Math.atan2(a, b)
    case '==':
      return Number(a === b)
    case '!=':
      return Number(a !== b)
    case '>':
      return Number(a > b)
    case '<':
      return Number(a < b)
    case '>=':
      return Number(a >= b)
    case '<=':
      return Number(a <= b)
    default:
      throw evaluationError(`The operator "${operator}" is not supported.`)
  }
}

/** The value of an element: of a filter the kept value, else the computed one. */
function elementValue({ operator, isBool }: Binary, a: number, b: number, kept: number): number | null {
  const result = applyOperator(operator, a, b)
  if (!isComparison(operator) || isBool) return result
  return result === 1 ? kept : null
}

const keepsName = ({ operator, isBool }: Binary) => isComparison(operator) && !isBool

/** A vector with a number on its right, or on its left where `isSwapped`. A filter keeps values of the vector. */
export function withScalar(
  binary: Binary,
  series: readonly Series[],
  scalar: readonly number[],
  isSwapped: boolean,
): Series[] {
  const computed = series.map(({ labels, values }) => ({
    labels: keepsName(binary) ? labels : withoutName(labels),
    values: values.map((value, step) => {
      if (value === null) return null
      const other = scalar[step] ?? Number.NaN
      return isSwapped ? elementValue(binary, other, value, value) : elementValue(binary, value, other, value)
    }),
  }))
  return mergeSeries(computed, `"${binary.operator}"`)
}

type Sides = { labels: SeriesLabels; many: Series[]; one: Series[] }

/** Elements of both sides that find each other, by the labels that they are matched by. */
function pair(many: readonly Series[], one: readonly Series[], matching: Matching): Sides[] {
  const sides = new Map<string, Sides>()
  const put = (side: 'many' | 'one', series: Series) => {
    const labels = matchLabels(series.labels, matching)
    const key = labelsKey(labels)
    let found = sides.get(key)
    if (!found) sides.set(key, (found = { labels, many: [], one: [] }))
    found[side].push(series)
  }
  for (const series of many) put('many', series)
  for (const series of one) put('one', series)
  return [...sides.values()]
}

/** Joins the series of the side that must have one element in each step. */
function single(
  series: readonly Series[],
  labels: SeriesLabels,
  side: string,
): { values: Values; labelsAt: (SeriesLabels | undefined)[] } | undefined {
  const [first] = series
  if (!first) return undefined
  const values: Values = first.values.map(() => null)
  const labelsAt: (SeriesLabels | undefined)[] = []
  for (const each of series) {
    for (const [step, value] of each.values.entries()) {
      if (value === null) continue
      if (values[step] !== null) {
        throw evaluationError(
          `Several series on the ${side} side match ${labelsText(labels)}. Aggregate them, or add labels with "on (…)" or "group_${side === 'right' ? 'left' : 'right'}".`,
        )
      }
      values[step] = value
      labelsAt[step] = each.labels
    }
  }
  return { values, labelsAt }
}

/** Two vectors with an arithmetic operator or a comparison. */
export function vectorToVector(binary: Binary, left: readonly Series[], right: readonly Series[]): Series[] {
  const { matching } = binary
  const isRight = matching.group === 'right'
  const [many, one] = isRight ? [right, left] : [left, right]
  const found: Series[] = []
  for (const { labels, many: several, one: singles } of pair(many, one, matching)) {
    const other = single(singles, labels, isRight ? 'left' : 'right')
    if (!other || several.length === 0) continue
    // Where each side has one element, it does not matter which of them is called many: both are checked.
    if (matching.group === 'one-to-one') single(several, labels, 'left')
    for (const series of several) found.push(...combine(binary, series, other, isRight))
  }
  return mergeSeries(found, `"${binary.operator}"`)
}

function combine(
  binary: Binary,
  series: Series,
  other: NonNullable<ReturnType<typeof single>>,
  isRight: boolean,
): Series[] {
  // Labels of the other side can change over time where one of its series follows another.
  const results = new Map<string, Series>()
  for (const [step, value] of series.values.entries()) {
    const otherValue = other.values[step]
    if (value === null || otherValue == null) continue
    const [a, b] = isRight ? [otherValue, value] : [value, otherValue]
    const result = elementValue(binary, a, b, a)
    if (result === null) continue
    const labels = resultLabels(binary, series.labels, other.labelsAt[step] ?? {})
    const key = labelsKey(labels)
    let found = results.get(key)
    if (!found) results.set(key, (found = { labels, values: series.values.map(() => null) }))
    found.values[step] = result
  }
  return [...results.values()]
}

function resultLabels(binary: Binary, many: SeriesLabels, one: SeriesLabels): SeriesLabels {
  const { matching } = binary
  const named = keepsName(binary) ? many : withoutName(many)
  if (matching.group === 'one-to-one') {
    return matching.kind === 'on'
      ? pickLabels(named, (name) => matching.labels.includes(name))
      : pickLabels(named, (name) => !matching.labels.includes(name))
  }
  const labels: Record<string, string> = { ...named }
  for (const name of matching.include) {
    const value = one[name]
    if (value === undefined || value === '') delete labels[name]
    else if (name !== nameLabel) labels[name] = value
  }
  return labels
}

/** `and`, `or` and `unless`: which elements stay depends on whether the other side has a match in the same step. */
export function setOperation(
  { operator, matching }: Binary,
  left: readonly Series[],
  right: readonly Series[],
): Series[] {
  const presence = (series: readonly Series[]) => {
    const present = new Map<string, boolean[]>()
    for (const { labels, values } of series) {
      const key = labelsKey(matchLabels(labels, matching))
      let steps = present.get(key)
      if (!steps) present.set(key, (steps = values.map(() => false)))
      for (const [step, value] of values.entries()) if (value !== null) steps[step] = true
    }
    return present
  }
  const filter = (series: readonly Series[], by: Map<string, boolean[]>, wanted: boolean) =>
    series.flatMap(({ labels, values }) => {
      const steps = by.get(labelsKey(matchLabels(labels, matching)))
      const kept = values.map((value, step) => ((steps?.[step] ?? false) === wanted ? value : null))
      return kept.every((value) => value === null) ? [] : [{ labels, values: kept }]
    })
  if (operator === 'and') return filter(left, presence(right), true)
  if (operator === 'unless') return filter(left, presence(right), false)
  return mergeSeries([...left, ...filter(right, presence(left), false)], '"or"')
}
