import { expect, test } from 'vitest'
import { createRestartRate } from './restart-rate.ts'

const pod = (uid: string, restarts: number) => ({ uid, restarts })

test('restarts count from one look at the pods to the next, per minute', () => {
  const rate = createRestartRate()
  expect(rate([pod('a', 7), pod('b', 0)], 0)).toBeUndefined()
  expect(rate([pod('a', 8), pod('b', 2)], 15_000)).toBe(12)
  // One pod is gone with its restarts, another came and restarted once already.
  expect(rate([pod('b', 2), pod('c', 1)], 30_000)).toBe(4)
  expect(rate([pod('b', 2), pod('c', 1)], 60_000)).toBe(0)
})
