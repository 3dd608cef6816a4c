import { expect, test } from 'vitest'
import { localTime, readRange } from './time-range.ts'

const day = (date: string, time = '') => ({ date, time })
const none = day('')

test('fields become instants and instants fields again, in the time zone of the browser', () => {
  const range = readRange(day('2026-11-22', '14:05'), day('2026-11-23'))
  expect(range).toEqual({
    from: new Date(2026, 10, 22, 14, 5).toISOString(),
    to: new Date(2026, 10, 23, 23, 59).toISOString(),
  })
  expect(localTime(new Date(2026, 0, 2, 3, 4).toISOString())).toEqual(day('2026-01-02', '03:04'))
  expect(localTime('yesterday')).toEqual(none)
  expect(readRange(day('2026-11-22'), none)).toMatchObject({ to: '' })
})

test.each([
  [none, none, 'Choose a date.'],
  [day('2026-11-23'), day('2026-11-22'), 'The range ends before it begins.'],
  [day('', '10:00'), day('2026-11-22'), 'Enter a whole date, such as 2026-11-22.'],
])('%j to %j is refused', (from, to, error) => {
  expect(readRange(from, to)).toEqual({ error })
})
