import { expect, test } from 'vitest'
import { daysWithin, nightsWithin, shareOf } from './since-axis.ts'

// In the zone of whoever runs the tests.
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()

test('a moment stands at its share of the axis, and one outside at its end', () => {
  const range = { fromMs: at(20, 0), toMs: at(21, 0) }
  expect(shareOf(at(20, 6), range)).toBe(0.25)
  expect(shareOf(new Date(at(20, 12)).toISOString(), range)).toBe(0.5)
  expect(shareOf(at(19, 0), range)).toBe(0)
  expect(shareOf(at(25, 0), range)).toBe(1)
})

test('nights are those of the reader, and one that has begun is drawn from the beginning', () => {
  const nights = nightsWithin({ fromMs: at(20, 0), toMs: at(22, 0) })
  expect(nights.map(({ from, to }) => [from * 48, to * 48].map(Math.round))).toEqual([
    [0, 6],
    [20, 30],
    [44, 48],
  ])
  expect(nightsWithin({ fromMs: at(20, 9, 17), toMs: at(20, 17, 40) })).toEqual([])
})

test('days are named at their midnight, and every other one where there are too many', () => {
  const range = { fromMs: at(17, 18), toMs: at(23, 9) }
  expect(daysWithin(range, 10).map(({ text }) => text)).toEqual([
    '18 Nov',
    '19 Nov',
    '20 Nov',
    '21 Nov',
    '22 Nov',
    'today',
  ])
  expect(daysWithin(range, 3).map(({ text }) => text)).toEqual(['19 Nov', '21 Nov', 'today'])
  expect(daysWithin({ fromMs: at(23, 1), toMs: at(23, 2) }, 3)).toEqual([])
})
