import type { CatalogMetric } from '@bey/contract'
import { expect, test } from 'vitest'
import { completionsOf, placeOf, quotedValue } from './promql-completion.ts'

const metric = (name: string, labels: string[]): CatalogMetric => ({
  name,
  entity: 'cluster',
  meaning: `Meaning of ${name}`,
  unit: null,
  labels,
  seriesCount: 1,
  lastValue: null,
})
const metrics = [metric('cpu_used', ['cluster', 'pod']), metric('size_bytes', ['database'])]

test.each([
  ['cp', { kind: 'start', from: 0, typed: 'cp' }],
  ['sum(cp', { kind: 'start', from: 4, typed: 'cp' }],
  ['cpu_used{', { kind: 'label', from: 9, typed: '', metric: 'cpu_used' }],
  ['cpu_used{pod="", cl', { kind: 'label', from: 17, typed: 'cl', metric: 'cpu_used' }],
  ['cpu_used{cluster=~"pr', { kind: 'value', from: 19, typed: 'pr', metric: 'cpu_used', label: 'cluster' }],
  [
    'cpu_used{cluster="a,b {',
    { kind: 'value', from: 18, typed: 'a,b {', metric: 'cpu_used', label: 'cluster' },
  ],
  [
    'cpu_used{pod="a\\"b", cluster="x',
    { kind: 'value', from: 30, typed: 'x', metric: 'cpu_used', label: 'cluster' },
  ],
  ['{cluster="', { kind: 'value', from: 10, typed: '', label: 'cluster' }],
  ['sum by (cluster, po', { kind: 'label', from: 17, typed: 'po' }],
  ['cpu_used{pod=""} / si', { kind: 'start', from: 19, typed: 'si' }],
  ['rate(cpu_used[5', undefined],
  ['label_replace(cpu_used, "na', undefined],
  ['cpu_used > ', undefined],
  ['', undefined],
])('%s is completed at the right place', (before, place) => {
  const found = placeOf(before)
  expect(found === undefined ? found : JSON.parse(JSON.stringify(found))).toEqual(place)
})

test('metrics stand before functions, and labels are those of the metric', () => {
  const texts = (before: string, values: string[] = []) => {
    const place = placeOf(before)
    return place ? completionsOf(place, metrics, values).map(({ text }) => text) : []
  }
  expect(texts('s')).toEqual(expect.arrayContaining(['size_bytes', 'sum()']))
  expect(texts('s')[0]).toBe('size_bytes')
  expect(texts('cpu_used{')).toEqual(['cluster', 'pod'])
  expect(texts('sum by (')).toEqual(['cluster', 'database', 'pod'])
  expect(texts('cpu_used{cluster="e', ['prod-eu', 'edge', 'us'])).toEqual(['edge', 'prod-eu'])
})

test('a value with quotes stays within those of its matcher', () => {
  expect(quotedValue('a"b\\c')).toBe('a\\"b\\\\c')
})
