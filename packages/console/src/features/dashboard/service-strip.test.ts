import type { ServiceCell, ServiceRow } from '@bey/contract'
import { expect, test } from 'vitest'
import { failingSince, markText, stripText, widerCells } from './service-strip.ts'

const cells: ServiceCell[] = ['none', 'ok', 'failing', 'ok', 'failing', 'failing', 'none']
const row = (given: Partial<ServiceRow>): ServiceRow => ({
  key: 'cluster/1',
  name: 'prod',
  href: '/',
  state: 'failing',
  trouble: null,
  detail: '',
  cells,
  trend: null,
  figure: null,
  ...given,
})

test('several steps as one are as the worst of them, counted from the newest', () => {
  expect(widerCells(cells, 3)).toEqual(['none', 'failing', 'failing'])
  expect(widerCells([], 3)).toEqual([])
})

test('a failure that goes on began after the last step without one; what is over has no line', () => {
  expect(failingSince([row({})], 1_000, 10)).toBe(1_040)
  expect(failingSince([row({ state: 'healthy' })], 1_000, 10)).toBeUndefined()
  expect(failingSince([row({ cells: ['failing', 'ok'] })], 1_000, 10)).toBeUndefined()
})

test('a strip and marks that lie together are said in words', () => {
  expect(stripText('prod', cells)).toBe('Health of prod: 3 of 7 steps failing, 0 degraded, 2 not measured')
  expect(markText([{ text: 'a' }, { text: 'a' }, { text: 'b' }])).toBe('a, b')
  expect(markText(['a', 'b', 'c', 'd', 'e'].map((text) => ({ text })))).toBe('a, b, c and 2 more')
})
