import { expect, test } from 'vitest'
import { isUnusual, usualHour } from './usual-band.ts'

test('usual is the median of the same hours, and so many deviations around it', () => {
  expect(usualHour([[4, null, 6], [5, 7], [3]], 2)).toMatchObject({
    median: 5,
    low: 5 - 2 * 1.4826,
    high: 5 + 2 * 1.4826,
  })
})

test('one wild week moves it hardly, and fewer than two measured weeks make none', () => {
  const calm = usualHour(
    [
      [10, 11],
      [9, 10],
      [10, 12],
    ],
    3,
  )
  const wild = usualHour(
    [
      [10, 11],
      [9, 10],
      [10, 12],
      [900, 800],
    ],
    3,
  )
  expect(wild?.median).toBeLessThan((calm?.median ?? 0) + 1)
  expect(usualHour([[1, 2, 3], [null], []], 3)).toBeUndefined()
})

test('what was never below zero is not expected there, what was is', () => {
  expect(
    usualHour(
      [
        [0, 1],
        [5, 9],
      ],
      4,
    )?.low,
  ).toBe(0)
  expect(
    usualHour(
      [
        [-1, 1],
        [5, 9],
      ],
      4,
    )?.low,
  ).toBeLessThan(-1)
})

test('a value is unusual outside of the band alone, and where the difference shows', () => {
  const flat = { median: 5, deviation: 0, low: 5, high: 5 }
  expect([5, 5.01, 5.2, 4, 50].map((value) => isUnusual(value, flat))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ])
  expect(isUnusual(6, { median: 5, deviation: 1, low: 2, high: 8 })).toBe(false)
})
