import { expect, test } from 'vitest'
import { fakeClock } from '../../../testing/clock.ts'
import { tokenRates } from './token-rate.ts'

test('a token may ask 1,000 times at once and 200 times a second, and does not use up another’s share', () => {
  const clock = fakeClock()
  const rates = tokenRates(clock)
  const asked = (key: string, times: number) =>
    Array.from({ length: times }, () => rates.take(key).isAllowed).filter(Boolean).length
  expect(asked('a', 1100)).toBe(1000)
  expect(rates.take('a')).toEqual({ isAllowed: false, remaining: 0, retryAfterMs: 5 })
  expect(asked('b', 10)).toBe(10)
  clock.advance(1000)
  expect(asked('a', 300)).toBe(200)
})
