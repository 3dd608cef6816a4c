import { expect, test } from 'vitest'
import { leftBefore, visitRules } from './visit-rules.ts'

const now = new Date('2026-11-23T08:47:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const friday = new Date('2026-11-20T18:02:00Z')

test('the first visit of all has none before it', () => {
  expect(leftBefore(undefined, now)).toBeNull()
  expect(leftBefore({ seenAt: ago(60_000), leftAt: null }, now)).toBeNull()
})

test('a visit goes on over pauses of up to half an hour', () => {
  expect(leftBefore({ seenAt: ago(visitRules.awayMs), leftAt: friday }, now)).toEqual(friday)
})

test('after a longer pause the visit before ended when the person was seen last', () => {
  const seenAt = ago(visitRules.awayMs + 1)
  expect(leftBefore({ seenAt, leftAt: friday }, now)).toEqual(seenAt)
})

test('a clock that was set back begins no visit', () => {
  expect(leftBefore({ seenAt: new Date('2026-11-24T00:00:00Z'), leftAt: friday }, now)).toEqual(friday)
})
