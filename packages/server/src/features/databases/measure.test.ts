import { expect, test } from 'vitest'
import type { MeasuredDatabase } from '../../tables/databases.ts'
import { withoutOwn } from './measure.ts'

// Only what the function looks at.
const figures = (at: string, transactionsPerSecond: number | null) =>
  ({ at, transactionsPerSecond }) as MeasuredDatabase
const before = figures('2026-03-01T12:00:00.000Z', 1)
const rateOf = (rate: number | null, others: number, then: MeasuredDatabase | null = before) =>
  withoutOwn(
    {
      engine: 'postgres' as const,
      version: '18.4',
      notes: [],
      figures: figures('2026-03-01T12:00:15.000Z', rate),
    },
    then,
    others,
  ).figures.transactionsPerSecond

test('transactions of Bey itself are not shown as those of a database', () => {
  // 15 looks at the load and 4 statements of the measure in 15 s.
  expect(rateOf(19 / 15, 15)).toBeCloseTo(0)
  expect(rateOf(10 + 19 / 15, 15)).toBeCloseTo(10)
  expect(rateOf(1, 60)).toBe(0)
  expect(rateOf(null, 15)).toBeNull()
  expect(rateOf(7, 15, null)).toBe(7)
})
