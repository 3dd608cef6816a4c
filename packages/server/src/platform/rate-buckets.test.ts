import { expect, test } from 'vitest'
import { fakeClock } from '../testing/clock.ts'
import { rateBuckets } from './rate-buckets.ts'

test('a key is allowed its burst, then what comes back, and says how long to wait', () => {
  const clock = fakeClock()
  const buckets = rateBuckets(clock, { burst: 2, perSecond: 0.5 })
  expect(buckets.take('a')).toEqual({ isAllowed: true, remaining: 1, retryAfterMs: 0 })
  expect(buckets.take('a').isAllowed).toBe(true)
  expect(buckets.take('a')).toEqual({ isAllowed: false, remaining: 0, retryAfterMs: 2000 })
  expect(buckets.take('b').isAllowed).toBe(true)
  clock.advance(2000)
  expect(buckets.peek('a').isAllowed).toBe(true)
  expect([buckets.take('a').isAllowed, buckets.take('a').isAllowed]).toEqual([true, false])
})

test('the one who was quiet for longest is forgotten first', () => {
  const buckets = rateBuckets(fakeClock(), { burst: 1, perSecond: 1 }, 2)
  buckets.take('a')
  buckets.take('b')
  buckets.take('a')
  buckets.take('c')
  expect([buckets.peek('a').isAllowed, buckets.peek('b').isAllowed]).toEqual([false, true])
})
