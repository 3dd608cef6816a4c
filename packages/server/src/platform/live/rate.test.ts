import { expect, test } from 'vitest'
import { fakeClock } from '../../testing/clock.ts'
import { rateLimit } from './rate.ts'

test.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a clock that is set %s neither takes nor gives a token', (_how, byMs) => {
  const clock = fakeClock()
  const mayPass = rateLimit(clock, { burst: 2, perSecond: 1 })
  expect([mayPass(), mayPass(), mayPass()]).toEqual([true, true, false])
  clock.step(byMs)
  expect(mayPass()).toBe(false)
  clock.advance(1000)
  expect([mayPass(), mayPass()]).toEqual([true, false])
})
