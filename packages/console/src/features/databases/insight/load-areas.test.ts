import { expect, test } from 'vitest'
import { loadAreas, loadTop } from './load-areas.ts'

test('areas lie on each other, and what was not measured is a gap in all of them', () => {
  const series = [
    { key: 'cpu', values: [1, null, 1] },
    { key: 'lock', values: [1, null, 3] },
  ]
  expect(loadAreas(series, 4, 10, 8)).toEqual([
    { key: 'cpu', polygons: ['0,6 0,8', '10,6 10,8'], last: 1 },
    { key: 'lock', polygons: ['0,4 0,6', '10,0 10,6'], last: 3 },
  ])
  expect(loadTop(series, null)).toBeCloseTo(4.6)
  expect(loadTop(series, 8)).toBeCloseTo(9.2)
})
