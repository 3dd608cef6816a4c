import { promqlAggregations, promqlFunctions } from '@bey/contract'
import { expect, test } from 'vitest'

import { AppError } from '../../errors.ts'
import { floorTo } from '../steps.ts'
import { evaluatePromql } from './evaluate.ts'
import { compileMatcher } from './matchers.ts'
import { parsePromql } from './parse.ts'
import type { SeriesReader } from './reader.ts'
import { labelsText } from './evaluation-error.ts'
import { aggregations, functions, labelJoin } from './functions.ts'
import { unitOf } from './unit.ts'

const minute = 60_000
const nowMs = Date.parse('2026-03-01T12:00:00.000Z')

/** A store in memory. Values are one per minute, the first at `nowMs` minus their count of minutes. */
function memoryReader(stored: Record<string, (number | null)[]>): SeriesReader<(number | null)[]> {
  const series = Object.entries(stored).map(([text, ref]) => {
    const expr = parsePromql(text)
    if (expr.kind !== 'selector') throw new Error('A series is written as a selector')
    const labels: Record<string, string> = {}
    for (const { label, value } of expr.matchers) labels[label] = value
    return { labels, ref }
  })
  return {
    select: async (matchers) => {
      const tests = matchers.map((matcher) => ({ label: matcher.label, fits: compileMatcher(matcher) }))
      return series.filter(({ labels }) => tests.every(({ label, fits }) => fits(labels[label] ?? '')))
    },
    read: async (found, { fromMs, toMs, stepMs }) =>
      found.map(({ ref }) => {
        const firstMs = nowMs - ref.length * minute
        return Array.from({ length: Math.round((toMs - fromMs) / stepMs) }, (_, step) => {
          const values: number[] = []
          for (
            let ms = floorTo(fromMs + step * stepMs, minute);
            ms < fromMs + (step + 1) * stepMs;
            ms += minute
          ) {
            const value = ref[Math.round((ms - firstMs) / minute)]
            if (value != null) values.push(value)
          }
          return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
        })
      }),
    finestStepMs: () => minute,
  }
}

/** Evaluates in the last `count` minutes. Each series is written as `labels: values`. */
async function evaluate(
  stored: Record<string, (number | null)[]>,
  expr: string,
  count: number,
): Promise<Record<string, (number | null)[]>> {
  const range = { fromMs: nowMs - count * minute, toMs: nowMs, stepMs: minute }
  const { series } = await evaluatePromql(memoryReader(stored), parsePromql(expr), range, nowMs)
  return Object.fromEntries(
    series.map(({ labels, values }) => [
      labelsText(labels),
      values.map((value) => (value === null ? null : Number(value.toPrecision(9)))),
    ]),
  )
}

const requests = {
  'requests{pod="a",code="200"}': [10, 20, 30],
  'requests{pod="a",code="500"}': [1, 2, 3],
  'requests{pod="b",code="200"}': [5, null, 7],
}
const limits = {
  'limits{pod="a"}': [100, 100, 100],
  'limits{pod="b"}': [50, 50, 50],
  'limits{pod="c"}': [1, 1, 1],
}
const both = { ...requests, ...limits }
const none = null

test.each<[string, Record<string, (number | null)[]>, string, Record<string, (number | null)[]>]>([
  // Numbers
  ['powers bind to the right', {}, '2 ^ 3 ^ 2', { '{}': [512, 512] }],
  ['a sign binds weaker than a power', {}, '-1 ^ 2', { '{}': [-1, -1] }],
  ['products bind stronger than sums', {}, '1 + 2 * 3 % 2', { '{}': [1, 1] }],
  ['comparisons of numbers answer 1 or 0', {}, '2 > bool 1', { '{}': [1, 1] }],
  ['a duration counts its seconds', {}, '1h30m / 60', { '{}': [90, 90] }],
  // Selectors
  [
    'a name selects every series of it, gaps stay',
    requests,
    'requests{pod="b"}',
    { 'requests{pod="b", code="200"}': [none, 7] },
  ],
  [
    'an absent label is empty',
    both,
    '{__name__="limits",code=""}',
    { 'limits{pod="a"}': [100, 100], 'limits{pod="b"}': [50, 50], 'limits{pod="c"}': [1, 1] },
  ],
  [
    'expressions match the whole value',
    both,
    'limits{pod=~"a|cc?"}',
    { 'limits{pod="a"}': [100, 100], 'limits{pod="c"}': [1, 1] },
  ],
  ['expressions exclude', both, 'limits{pod!~"[bc]"}', { 'limits{pod="a"}': [100, 100] }],
  [
    'the name is a label',
    both,
    '{__name__=~"lim.*", pod!="a"}',
    { 'limits{pod="b"}': [50, 50], 'limits{pod="c"}': [1, 1] },
  ],
  [
    'offset looks back',
    requests,
    'requests{code="500"} offset 1m',
    { 'requests{pod="a", code="500"}': [1, 2] },
  ],
  [
    'a negative offset looks ahead, where there is nothing yet',
    requests,
    'requests{code="500"} offset -1m',
    { 'requests{pod="a", code="500"}': [3, none] },
  ],
  // Aggregations
  ['sum by a label', requests, 'sum by (pod) (requests)', { '{pod="a"}': [22, 33], '{pod="b"}': [none, 7] }],
  [
    'sum without a label',
    requests,
    'sum(requests) without (code)',
    { '{pod="a"}': [22, 33], '{pod="b"}': [none, 7] },
  ],
  ['sum of all', requests, 'sum(requests)', { '{}': [22, 40] }],
  ['avg', requests, 'avg(requests)', { '{}': [11, 40 / 3].map((value) => Number(value.toPrecision(9))) }],
  ['min and max', requests, 'max(requests) - min(requests)', { '{}': [18, 27] }],
  ['count', requests, 'count(requests)', { '{}': [2, 3] }],
  ['group', requests, 'group by (pod) (requests)', { '{pod="a"}': [1, 1], '{pod="b"}': [none, 1] }],
  [
    'topk keeps labels, per step',
    { 'x{a="1"}': [1, 9], 'x{a="2"}': [5, 5], 'x{a="3"}': [3, 3] },
    'topk(1, x)',
    { 'x{a="1"}': [none, 9], 'x{a="2"}': [5, none] },
  ],
  [
    'bottomk',
    { 'x{a="1"}': [1, 9], 'x{a="2"}': [5, 5] },
    'bottomk(1, x)',
    { 'x{a="1"}': [1, none], 'x{a="2"}': [none, 5] },
  ],
  [
    'quantile interpolates',
    { 'x{a="1"}': [1, 1], 'x{a="2"}': [2, 2], 'x{a="3"}': [3, 3], 'x{a="4"}': [10, 10] },
    'quantile(0.5, x)',
    { '{}': [2.5, 2.5] },
  ],
  ['stddev is of the population', { 'x{a="1"}': [2, 2], 'x{a="2"}': [4, 4] }, 'stddev(x)', { '{}': [1, 1] }],
  [
    'count_values',
    { 'x{a="1"}': [2, 3], 'x{a="2"}': [2, 2] },
    'count_values("v", x)',
    { '{v="2"}': [2, 1], '{v="3"}': [none, 1] },
  ],
  // Functions over time; windows end with the step
  ['avg_over_time', { x: [1, 2, 3, 6] }, 'avg_over_time(x[2m])', { '{}': [2.5, 4.5] }],
  [
    'min, max, sum, count over a gap',
    { x: [4, none, 3, 6] },
    'sum_over_time(x[3m]) + count_over_time(x[3m]) + min_over_time(x[3m]) + max_over_time(x[3m])',
    { '{}': [7 + 2 + 3 + 4, 9 + 2 + 3 + 6] },
  ],
  ['last_over_time keeps the name', { x: [4, none, none] }, 'last_over_time(x[5m])', { 'x{}': [4, 4] }],
  ['quantile_over_time', { x: [1, 2, 3, 10] }, 'quantile_over_time(0.5, x[4m])', { '{}': [2, 2.5] }],
  ['stddev_over_time', { x: [0, 2, 4, 2] }, 'stddev_over_time(x[2m])', { '{}': [1, 1] }],
  ['rate of a steady counter is its slope', { x: [600, 660, 720, 780] }, 'rate(x[3m])', { '{}': [1, 1] }],
  ['rate sees a restart', { x: [600, 660, 60, 120] }, 'increase(x[4m])', { '{}': [180, 240] }],
  ['delta may fall', { x: [40, 30, 20, 10] }, 'delta(x[2m])', { '{}': [-20, -20] }],
  [
    'deriv is the slope of the line of least squares',
    { x: [0, 60, 120, 180] },
    'deriv(x[3m])',
    { '{}': [1, 1] },
  ],
  [
    'predict_linear goes on from the end of the window',
    { x: [0, 60, 120, 180] },
    'predict_linear(x[3m], 60)',
    { '{}': [210, 270].slice(0, 2) },
  ],
  ['changes and resets', { x: [1, 2, 2, 1] }, 'changes(x[4m]) * 10 + resets(x[4m])', { '{}': [10, 21] }],
  ['absent_over_time', { x: [1, none, none, none] }, 'absent_over_time(x[2m])', { '{}': [1, 1] }],
  // Other functions
  ['absent takes labels from equality', {}, 'absent(x{a="1",b!="2"})', { '{a="1"}': [1, 1] }],
  ['absent is empty where something is present', requests, 'absent(requests)', {}],
  ['clamp and round', { x: [1.26, 9.74] }, 'round(clamp(x, 2, 9.74), 0.5)', { '{}': [2, 9.5] }],
  [
    'abs, ceil, floor, sqrt',
    { x: [-4, -2.5] },
    'sqrt(abs(x)) + ceil(x) + floor(x)',
    { '{}': [-6, Number((Math.sqrt(2.5) - 5).toPrecision(9))] },
  ],
  [
    'logarithms',
    { x: [8, 100] },
    'log2(x) * 0 + log10(x) * ln(exp(x)) / x',
    { '{}': [Number(Math.log10(8).toPrecision(9)), 2] },
  ],
  ['scalar of one element', requests, 'scalar(requests{code="500"}) + 1', { '{}': [3, 4] }],
  ['vector and time', {}, 'vector(1) + time() * 0', { '{}': [1, 1] }],
  [
    'label_replace',
    limits,
    'label_replace(limits{pod="a"}, "name", "x-$1", "pod", "(.*)")',
    { 'limits{pod="a", name="x-a"}': [100, 100] },
  ],
  [
    'label_join',
    requests,
    'label_join(requests{code="500"}, "both", "/", "pod", "code")',
    { 'requests{pod="a", code="500", both="a/500"}': [2, 3] },
  ],
  // Operators between vectors
  [
    'one to one by all labels',
    limits,
    'limits / limits',
    { '{pod="a"}': [1, 1], '{pod="b"}': [1, 1], '{pod="c"}': [1, 1] },
  ],
  ['a number changes each element and takes the name', { x: [1, 2] }, '10 - x', { '{}': [9, 8] }],
  ['a filter keeps name and value', limits, 'limits > 50', { 'limits{pod="a"}': [100, 100] }],
  [
    'a filter with the number first keeps the series',
    limits,
    '50 < limits',
    { 'limits{pod="a"}': [100, 100] },
  ],
  [
    'bool answers every element',
    limits,
    'limits == bool 50',
    { '{pod="a"}': [0, 0], '{pod="b"}': [1, 1], '{pod="c"}': [0, 0] },
  ],
  [
    'on keeps the labels that match',
    both,
    'requests{code="500"} / on (pod) limits',
    { '{pod="a"}': [0.02, 0.03] },
  ],
  ['ignoring', both, 'requests{code="500"} / ignoring (code) limits', { '{pod="a"}': [0.02, 0.03] }],
  [
    'group_left has many on the left',
    both,
    'requests / on (pod) group_left limits',
    {
      '{pod="a", code="200"}': [0.2, 0.3],
      '{pod="a", code="500"}': [0.02, 0.03],
      '{pod="b", code="200"}': [none, 0.14],
    },
  ],
  [
    'group_right copies a label',
    { 'x{p="a",q="1"}': [1, 2], 'x{p="a",q="2"}': [3, 4], 'y{p="a",team="t"}': [10, 10] },
    'y * on (p) group_right (team) x',
    { '{p="a", q="1", team="t"}': [10, 20], '{p="a", q="2", team="t"}': [30, 40] },
  ],
  [
    'and',
    both,
    'limits and on (pod) requests',
    { 'limits{pod="a"}': [100, 100], 'limits{pod="b"}': [none, 50] },
  ],
  [
    'unless',
    both,
    'limits unless on (pod) requests',
    { 'limits{pod="b"}': [50, none], 'limits{pod="c"}': [1, 1] },
  ],
  [
    'or',
    { 'x{a="1"}': [1, none], 'y{a="1"}': [7, 8] },
    'x or on (a) y',
    { 'x{a="1"}': [1, none], 'y{a="1"}': [none, 8] },
  ],
  ['division by zero is infinite', { x: [1, 2] }, 'x / 0', { '{}': [Infinity, Infinity] }],
])('%s', async (_, stored, expr, expected) => {
  expect(await evaluate(stored, expr, 2)).toEqual(expected)
})

const refusal = async (work: () => unknown): Promise<string> => {
  try {
    await work()
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
  throw new Error('Nothing was refused')
}

test.each([
  ['', 'The expression is empty (at character 1).'],
  ['sum(', 'The expression ends too early (at character 5).'],
  ['a b', '"b" was not expected here (at character 3).'],
  ['foo(x)', 'There is no function "foo" (at character 4).'],
  ['x @ 100', '"@" is not supported'],
  ['rate(x[1h:5m])', 'Subqueries such as [1h:5m] are not supported (at character 6).'],
  ['histogram_quantile(0.9, x)', 'histogram_quantile() needs histograms'],
  ['timestamp(x)', 'The function timestamp() is not supported'],
  ['limitk(1, x)', 'The aggregation limitk() is not supported'],
  ['rate(x)', 'rate() needs a range such as x[5m], but this is series (at character 6).'],
  ['x[5m]', 'must stand inside a function'],
  ['1 > 2', 'needs "bool"'],
  ['x + bool 1', '"bool" can only follow a comparison'],
  ['x and 1', '"and" needs series, but this is a number'],
  ['sum(x, y)', 'sum() takes 1 argument, not 2'],
  ['{pod=~".*"}', 'This selects every series'],
  ['x{a=~"("}', 'is no regular expression that RE2 reads (at character 6).'],
  ['"text"', 'A text alone has no value'],
  ['x offset 100y', 'is no duration'],
])('%s is refused with its reason', async (expr, reason) => {
  expect(await refusal(() => parsePromql(expr))).toContain(reason)
})

test('deep and long expressions are refused', async () => {
  expect(await refusal(() => parsePromql(`${'('.repeat(60)}1${')'.repeat(60)}`))).toContain(
    'nested too deeply',
  )
  expect(await refusal(() => parsePromql(Array.from({ length: 400 }, () => '1').join('+')))).toContain(
    'too many parts',
  )
})

test.each([
  [both, 'requests / on (pod) limits', 'Several series on the left side match {pod="a"}'],
  [both, 'limits / on (pod) requests', 'Several series on the right side match {pod="a"}'],
  [
    { 'x{a="1"}': [1], 'y{a="1"}': [2] },
    'abs({__name__=~"x|y"})',
    'several series have the same labels {a="1"}',
  ],
])('an ambiguous answer is refused', async (stored, expr, reason) => {
  expect(await refusal(() => evaluate(stored as Record<string, number[]>, expr, 1))).toContain(reason)
})

test('too many series are refused with their count', async () => {
  const many = {
    ...memoryReader({}),
    select: async () => Array.from({ length: 10_001 }, () => ({ labels: {}, ref: [] })),
  }
  const range = { fromMs: nowMs - minute, toMs: nowMs, stepMs: minute }
  const reason = await refusal(() => evaluatePromql(many, parsePromql('x'), range, nowMs))
  expect(reason).toContain('10,001 series')
})

test('a window shorter than what is stored is widened, and the answer says so', async () => {
  const hourly = {
    ...memoryReader({ x: Array.from({ length: 600 }, (_, index) => index) }),
    finestStepMs: () => 60 * minute,
  }
  const range = { fromMs: nowMs - 120 * minute, toMs: nowMs, stepMs: 60 * minute }
  const { series, warnings } = await evaluatePromql(hourly, parsePromql('delta(x[5m])'), range, nowMs)
  expect(warnings).toEqual([expect.stringContaining('window of 2 h is read instead of 5 min')])
  // The slope is one a minute: five in five minutes.
  expect(series[0]?.values.map((value) => Math.round(value ?? 0))).toEqual([5, 5])
})

test('rate() of a gauge is answered with a warning', async () => {
  const reader = memoryReader({ rows_read_per_second: [1, 2, 3], cpu_used_millicores: [1, 2, 3] })
  const range = { fromMs: nowMs - minute, toMs: nowMs, stepMs: minute }
  const warningsOf = async (expr: string) =>
    (await evaluatePromql(reader, parsePromql(expr), range, nowMs)).warnings
  expect(await warningsOf('rate(rows_read_per_second[2m])')).toEqual([
    expect.stringContaining('is a rate already'),
  ])
  expect(await warningsOf('rate(cpu_used_millicores[2m])')).toEqual([expect.stringContaining('is a gauge')])
  expect(await warningsOf('deriv(cpu_used_millicores[2m])')).toEqual([])
})

test.each([
  ['sum by (cluster) (memory_used_bytes)', 'bytes'],
  ['100 * memory_used_bytes / memory_allocatable_bytes', 'percent'],
  ['memory_used_bytes / memory_allocatable_bytes * 100', 'percent'],
  ['rate(memory_used_bytes[5m])', 'bytes_per_second'],
  ['count(nodes > 3)', 'count'],
  ['nodes > 3', 'count'],
  ['nodes * pods', null],
])('%s has the unit %s', (expr, unit) => {
  expect(unitOf(parsePromql(expr))).toBe(unit)
})

test('what the console completes is what can be evaluated', () => {
  expect(Object.keys(promqlFunctions).toSorted()).toEqual([...functions.keys(), labelJoin].toSorted())
  expect(Object.keys(promqlAggregations).toSorted()).toEqual([...aggregations.keys()].toSorted())
})
