import { expect, test } from 'vitest'

import { growthOf } from './growth.ts'

const hourMs = 3_600_000
const hours = (count: number, size: (hour: number) => number | null) =>
  Array.from({ length: count }, (_, hour) => size(hour))

test('growth is what the sizes of days say, also with gaps, and ends where the room does', () => {
  const sizes = hours(48, (hour) => (hour % 7 === 3 ? null : 1_000 + hour * 10))
  expect(growthOf(sizes, hourMs, 2_400)).toEqual({ bytesPerDay: expect.closeTo(240), daysUntilFull: 10 })
  expect(growthOf(sizes, hourMs, null)?.daysUntilFull).toBeNull()
})

test.each([
  ['nothing was measured', hours(48, () => null)],
  ['less than a day is known', hours(24, (hour) => hour)],
])('nothing is foreseen where %s', (_why, sizes) => {
  expect(growthOf(sizes, hourMs, 1_000)).toBeUndefined()
})

test('a database that stays, shrinks or grows for years does not fill its disk', () => {
  for (const perHour of [0, -5, 0.01]) {
    expect(
      growthOf(
        hours(48, (hour) => 5_000 + hour * perHour),
        hourMs,
        1_000,
      )?.daysUntilFull,
    ).toBeNull()
  }
})
