import { expect, test } from 'vitest'
import { bandOf, deviationOf } from './comparison.ts'

const usual = (median: number, deviation = 0.1) => ({
  median,
  deviation,
  low: median - 3 * deviation,
  high: median + 3 * deviation,
})

test('a value outside of its usual says how many times it is, and from three times on it is severe', () => {
  expect(deviationOf('load', 11.2, usual(2.4))).toMatchObject({ isSevere: true })
  expect(deviationOf('load', 11.2, usual(2.4))?.times).toBeCloseTo(4.67, 2)
  expect(deviationOf('load', 3.4, usual(2.4))?.isSevere).toBe(false)
  expect(deviationOf('load', 0.2, usual(2.4))?.times).toBeCloseTo(0.083, 3)
})

test('within its band, or by less than anybody minds, a value is usual', () => {
  expect(deviationOf('load', 2.6, usual(2.4))).toBeUndefined()
  expect(deviationOf('load', 0.4, usual(0, 0))).toBeUndefined()
  expect(deviationOf('latency', 4, usual(0.5, 0))).toBeUndefined()
  expect(deviationOf('load', 3, usual(0, 0))).toMatchObject({ times: null, isSevere: true, distance: 6 })
})

test('between the middles of two hours the band goes from one to the other, and beyond the last it stays', () => {
  const hourMs = 3_600_000
  const hours = { fromMs: 0, stepMs: hourMs, usual: [usual(1, 0), usual(3, 0), undefined] }
  const half = { fromMs: 0, stepMs: hourMs / 2, steps: 6 }
  expect(bandOf(hours, half).low).toEqual([1, 1.5, 2.5, 3, 3, null])
  expect(bandOf({ ...hours, usual: [undefined, undefined] }, { ...half, steps: 2 }).high).toEqual([
    null,
    null,
  ])
})
