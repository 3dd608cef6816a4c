import { databaseMetrics } from '@bey/contract'
import { expect, test } from 'vitest'
import { activityRates } from './activity.ts'

test('counters become rates of the time that passed; one that went back or is missing becomes none', () => {
  const before = { deadlocks: 1, walBytes: 1_000, rowsRead: 50, tempBytes: null }
  const now = { deadlocks: 2, walBytes: 4_000, rowsRead: 10, tempBytes: 7 }
  expect(activityRates(now, before, 15_000)).toEqual({
    [databaseMetrics.deadlocks]: 4,
    [databaseMetrics.walBytes]: 200,
  })
  expect(activityRates(now, undefined, 15_000)).toEqual({})
})
