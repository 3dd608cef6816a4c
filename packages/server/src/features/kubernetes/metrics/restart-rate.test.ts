import { expect, test } from 'vitest'
import { createRestartRate } from './restart-rate.ts'

const pod = (uid: string, restarts: number, createdAt = new Date(0).toISOString()) => ({
  uid,
  restarts,
  createdAt,
})

test('restarts count from one look at the pods to the next, per minute', () => {
  const rate = createRestartRate()
  expect(rate([pod('a', 7), pod('b', 0)], 0)).toBeUndefined()
  expect(rate([pod('a', 8), pod('b', 2)], 15_000)).toBe(12)
  // One pod is gone with its restarts, another came and restarted once already.
  expect(rate([pod('b', 2), pod('c', 1)], 30_000)).toBe(4)
  expect(rate([pod('b', 2), pod('c', 1)], 60_000)).toBe(0)
})

test('an old pod that was not to be seen before brings no restarts of the past with it', () => {
  const rate = createRestartRate()
  const now = Date.parse('2026-01-15T09:30:00Z')
  rate([pod('a', 0)], now)
  const old = pod('b', 81, '2026-01-10T00:00:00Z')
  const made = pod('c', 1, '2026-01-15T09:30:05Z')
  expect(rate([pod('a', 0), old, made], now + 15_000)).toBe(4)
  expect(rate([pod('a', 0), { ...old, restarts: 82 }, made], now + 30_000)).toBe(4)
})
