import { expect, test } from 'vitest'
import { sumsOf, ticksOf } from './month-scale.ts'

test('sums grow by each day, and a correction lowers them', () => {
  expect(sumsOf([{ amount: '2.5' }, { amount: '-1' }, { amount: '0' }])).toEqual([2.5, 1.5, 1.5])
})

test('an axis has round values and holds the highest', () => {
  expect(ticksOf(7_310)).toEqual({ most: 8_000, ticks: [0, 2_000, 4_000, 6_000, 8_000] })
  for (const highest of [0.002, 3, 99, 123_456]) expect(ticksOf(highest).most).toBeGreaterThanOrEqual(highest)
  expect(ticksOf(0)).toEqual({ most: 1, ticks: [0] })
})
