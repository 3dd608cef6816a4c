import { expect, test } from 'vitest'
import { incidentsOf } from './incidents.ts'

const range = { fromMs: 1_000, stepMs: 100 }
const incidents = (maxima: (number | null)[]) => incidentsOf({ clusterId: 1, name: 'prod', maxima }, range)

test('an incident lasts from the first step with failing pods to the first without', () => {
  expect(incidents([0, 2, 5, 0, 0])).toEqual([
    { clusterId: 1, name: 'prod', fromMs: 1_100, toMs: 1_300, most: 5 },
  ])
  expect(incidents([1, 0, 1, 0]).map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
    [1_000, 1_100],
    [1_200, 1_300],
  ])
})

test('one that goes on has no end', () => {
  expect(incidents([0, 0, 3])).toEqual([{ clusterId: 1, name: 'prod', fromMs: 1_200, toMs: null, most: 3 }])
})

test('what was not measured neither begins nor ends one', () => {
  expect(incidents([null, null])).toEqual([])
  expect(incidents([0, 1, null, null, 2, 0])).toMatchObject([{ fromMs: 1_100, toMs: 1_500, most: 2 }])
  expect(incidents([0, 1, null, null])).toMatchObject([{ fromMs: 1_100, toMs: null }])
})
