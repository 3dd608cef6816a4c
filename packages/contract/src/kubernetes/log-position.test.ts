import { expect, test } from 'vitest'
import { createLogTracker } from './log-position.ts'

const line = (ms: number, text = `line ${ms}`) => [new Date(ms).toISOString(), text] as const

test('what was read before a reconnect is not read again, and what was not read is', () => {
  const before = createLogTracker()
  for (const ms of [0, 500, 1200, 1200, 2500]) expect(before.take(...line(ms))).toBe(true)
  const after = createLogTracker(before.position())
  // The cluster sends everything of the seconds that the position names.
  const sent = [1200, 1200, 1200, 1900, 2500, 2600]
  const fresh = sent.filter((ms) => after.take(...line(ms)))
  // A third equal line, one that was late, and a new one.
  expect(fresh).toEqual([1200, 1900, 2600])
})

test('a position outlives a connection that brought nothing, or only a part of what was known', () => {
  const first = createLogTracker()
  for (const ms of [1000, 1100, 1200]) first.take(...line(ms))
  const second = createLogTracker(first.position())
  expect(second.position()).toEqual(first.position())
  expect(second.take(...line(1000))).toBe(false)
  const third = createLogTracker(second.position())
  expect([1000, 1100, 1200, 1300].filter((ms) => third.take(...line(ms)))).toEqual([1300])
})

test('of a log that was read from its middle, the lines before are not counted as unread', () => {
  const tail = createLogTracker()
  tail.take(...line(1900))
  const again = createLogTracker(tail.position())
  expect([1500, 1900, 2000].filter((ms) => again.take(...line(ms)))).toEqual([2000])
})

test('a position holds a bounded number of lines', () => {
  const busy = createLogTracker()
  for (let index = 0; index < 20_000; index += 1) busy.take(...line(1000, `line ${index}`))
  const position = busy.position()
  expect(position?.seen.length).toBeLessThanOrEqual(4000)
})
