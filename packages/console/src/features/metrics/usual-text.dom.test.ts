import type { MetricUsual } from '@bey/contract'
import { expect, test } from 'vitest'
import { bandAt, usualText } from './usual-text.ts'

const usual = { median: 5, deviation: 1, low: 2, high: 8 }
// A Tuesday.
const at = new Date(2026, 10, 24, 8, 15).toISOString()
const newest = { at, value: 6, usual, isUnusual: false, weeks: [4, 5, null, 7] }
const data = (given: Partial<MetricUsual>): MetricUsual => ({
  state: 'ready',
  measuredWeeks: 4,
  hours: [],
  newest,
  unit: null,
  ...given,
})

test.each<[Partial<MetricUsual>, string]>([
  [{}, 'The last 3 Tuesdays from 08:00 lay between 4 and 7. 6 is usual.'],
  [
    { newest: { ...newest, value: 31, isUnusual: true } },
    'The last 3 Tuesdays from 08:00 lay between 4 and 7. 31 lies above what is usual, 26 deviations away.',
  ],
  [
    { newest: { ...newest, value: 0, isUnusual: true, weeks: [5, 5] } },
    'The last 2 Tuesdays from 08:00 were at 5. 0 lies below what is usual, 5 deviations away.',
  ],
  [
    { newest: { ...newest, value: 9, isUnusual: true, usual: { ...usual, deviation: 0 }, weeks: [null] } },
    '9 lies above what is usual.',
  ],
  [
    { newest: null, measuredWeeks: 0 },
    'There is nothing to compare with: none of the weeks before was measured.',
  ],
  [
    { newest: null, measuredWeeks: 1 },
    'There is too little to compare with at this hour: 1 of the 4 weeks before was measured.',
  ],
])('the sentence names the weeks that were measured, and what the value is among them: %#', (given, text) => {
  expect(usualText(data(given), String, 4)).toBe(text)
})

test('the band goes from the middle of an hour to the middle of the next, and has gaps where nothing is known', () => {
  const hour = 3_600_000
  const hours = [
    { from: new Date(0).toISOString(), usual },
    { from: new Date(hour).toISOString(), usual: { ...usual, low: 4, high: 10 } },
    { from: new Date(2 * hour).toISOString(), usual: null },
    { from: new Date(3 * hour).toISOString(), usual: null },
  ]
  const { low, high } = bandAt(hours, [0, 0.5 * hour, hour, 1.5 * hour, 2 * hour, 3 * hour])
  expect(low).toEqual([2, 2, 3, 4, 4, null])
  expect(high).toEqual([8, 8, 9, 10, 10, null])
})
