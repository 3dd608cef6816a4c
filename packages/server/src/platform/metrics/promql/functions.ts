import type { ValueType } from './ast.ts'

type Signature = { args: readonly ValueType[]; optional?: number; answers: 'scalar' | 'vector' }

const overTime: Signature = { args: ['range'], answers: 'vector' }
const elementwise: Signature = { args: ['vector'], answers: 'vector' }
const ofTime: Signature = { args: ['vector'], optional: 1, answers: 'vector' }

/** Every function that can be evaluated, with the types of its arguments; `optional` counts from the last one. */
export const functions: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ...[
    'rate',
    'irate',
    'increase',
    'delta',
    'idelta',
    'deriv',
    'changes',
    'resets',
    'avg_over_time',
    'min_over_time',
    'max_over_time',
    'sum_over_time',
    'count_over_time',
    'last_over_time',
    'present_over_time',
    'stddev_over_time',
    'stdvar_over_time',
    'absent_over_time',
  ].map((name) => [name, overTime] as const),
  ['quantile_over_time', { args: ['scalar', 'range'], answers: 'vector' }],
  ['predict_linear', { args: ['range', 'scalar'], answers: 'vector' }],
  ...['abs', 'ceil', 'floor', 'sqrt', 'ln', 'log2', 'log10', 'exp', 'sgn', 'absent', 'sort', 'sort_desc'].map(
    (name) => [name, elementwise] as const,
  ),
  ...['hour', 'minute', 'day_of_week', 'day_of_month', 'month', 'year'].map(
    (name) => [name, ofTime] as const,
  ),
  ['round', { args: ['vector', 'scalar'], optional: 1, answers: 'vector' }],
  ['clamp', { args: ['vector', 'scalar', 'scalar'], answers: 'vector' }],
  ['clamp_min', { args: ['vector', 'scalar'], answers: 'vector' }],
  ['clamp_max', { args: ['vector', 'scalar'], answers: 'vector' }],
  ['scalar', { args: ['vector'], answers: 'scalar' }],
  ['vector', { args: ['scalar'], answers: 'vector' }],
  ['time', { args: [], answers: 'scalar' }],
  ['label_replace', { args: ['vector', 'string', 'string', 'string', 'string'], answers: 'vector' }],
])

/** Functions that join any number of source labels: `label_join(v, target, separator, source …)`. */
export const labelJoin = 'label_join'

/** Aggregations, with the type of their parameter where they take one. */
export const aggregations: ReadonlyMap<string, 'scalar' | 'string' | undefined> = new Map([
  ...['sum', 'avg', 'min', 'max', 'count', 'group', 'stddev', 'stdvar'].map(
    (name) => [name, undefined] as const,
  ),
  ...['topk', 'bottomk', 'quantile'].map((name) => [name, 'scalar'] as const),
  ['count_values', 'string'] as const,
])

/** Functions that read a counter, which none of the metrics that Bey collects is. */
export const counterFunctions: ReadonlySet<string> = new Set(['rate', 'irate', 'increase', 'resets'])
