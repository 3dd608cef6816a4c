import { expect, test } from 'vitest'
import { growthPicture } from './growth-picture.ts'

const dayMs = 86_400_000
const times = [0, dayMs, 2 * dayMs, 3 * dayMs]
const mib = 1024 ** 2

test('the line of growth ends on the day on which the database is full, not above its limit', () => {
  const growth = { bytesPerDay: 10 * mib, daysUntilFull: 6 }
  const picture = growthPicture(
    { times, sizes: [10 * mib, 20 * mib, 30 * mib, 40 * mib], limitBytes: 100 * mib, growth },
    300,
    64,
  )
  expect(picture?.full?.atMs).toBe(9 * dayMs)
  expect(picture?.full?.x).toBeCloseTo(297)
  expect(Math.abs((picture?.full?.y ?? 0) - (picture?.limitY ?? 0))).toBeLessThan(1)
})

test('a gap in the sizes stays a gap, and nothing is foreseen that is further away than four weeks', () => {
  const growth = { bytesPerDay: 2 * mib, daysUntilFull: 200 }
  const picture = growthPicture(
    { times, sizes: [mib, 2 * mib, null, 3 * mib], limitBytes: null, growth },
    300,
    64,
  )
  expect(picture?.past.match(/M/g)).toHaveLength(2)
  expect([picture?.full, picture?.limitY]).toEqual([undefined, undefined])
})

test('one size is no line', () => {
  expect(
    growthPicture({ times, sizes: [null, null, mib, null], limitBytes: null, growth: undefined }, 300, 64),
  ).toBeUndefined()
})
