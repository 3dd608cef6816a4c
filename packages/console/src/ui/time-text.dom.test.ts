import { afterEach, expect, test } from 'vitest'
import { setTimeStyle } from './time-style.ts'
import {
  absoluteTime,
  clockTime,
  dateText,
  nextTickMs,
  relativeTime,
  lineTime,
  momentText,
  sinceText,
} from './time-text.ts'

const now = new Date('2026-11-21T12:00:00Z')
const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)

test('relative times grow from seconds to days and end as a date whose month is a word', () => {
  expect(relativeTime(before(3000), now)).toBe('just now')
  expect(relativeTime(before(45_000), now)).toBe('45 s ago')
  expect(relativeTime(before(119_000), now)).toBe('1 min ago')
  expect(relativeTime(before(2 * 3_600_000), now)).toBe('2 h ago')
  expect(relativeTime(before(12 * 86_400_000), now)).toBe('12 d ago')
  expect(relativeTime(before(40 * 86_400_000), now)).toMatch(/^12 Oct 2026$/)
})

test('the future is "in", an invalid time a dash', () => {
  expect(relativeTime(before(-3 * 3_600_000), now)).toBe('in 3 h')
  expect(relativeTime(new Date('nonsense'), now)).toBe('—')
})

test('the next tick comes when the text changes, at least a second ahead', () => {
  expect(nextTickMs(before(61_000), now)).toBe(59_000)
  expect(nextTickMs(before(2_500), now)).toBe(1000)
})

afterEach(() => delete document.documentElement.dataset['times'])

test('absolute times follow the zone, the format of dates and the clock that were chosen', () => {
  const at = new Date('2026-11-21T23:04:31Z')
  setTimeStyle({ timeZone: 'UTC', dateFormat: 'day-month', hourCycle: '24' })
  expect(absoluteTime(at)).toBe('21 Nov 2026, 23:04:31 UTC')
  setTimeStyle({ timeZone: 'Asia/Tokyo', dateFormat: 'iso', hourCycle: '24' })
  expect(absoluteTime(at)).toMatch(/^2026-11-22, 08:04:31 (GMT\+9|JST)$/)
  setTimeStyle({ timeZone: 'America/New_York', dateFormat: 'month-day', hourCycle: '12' })
  expect([dateText(at), clockTime(at)]).toEqual(['Nov 21, 2026', '6:04:31 pm'])
})

test('a style that is not understood is the default in the zone of the device', () => {
  const at = new Date('2026-11-21T12:04:31Z')
  document.documentElement.dataset['times'] = 'Mars/Olympus|sepia|13'
  const nonsense = absoluteTime(at)
  delete document.documentElement.dataset['times']
  expect(nonsense).toBe(absoluteTime(at))
})

const midnight = '2026-11-23T00:00:00'

test.each([
  ['UTC', 'Z'],
  ['Asia/Tokyo', '+09:00'],
  ['America/New_York', '-05:00'],
])('at midnight in %s an incident keeps its hour', (timeZone, offset) => {
  setTimeStyle({ timeZone, dateFormat: 'day-month', hourCycle: '24' })
  const at = (wall: string) => new Date(`${wall}${offset}`)
  const since = at('2026-11-22T23:43:10')
  const before = at('2026-11-22T23:59:59')
  const after = at(midnight)
  expect([sinceText(since, before), momentText(since, before)]).toEqual(['23:43', '23:43:10'])
  expect([sinceText(since, after), momentText(since, after)]).toEqual([
    '23:43 yesterday',
    '23:43:10 yesterday',
  ])
  expect(lineTime(since, before)).toBe('23:43:10.000')
  expect(lineTime(since, after)).toBe('22 Nov, 23:43:10.000')
  expect(sinceText(after, after)).toBe('00:00')
  expect(sinceText(since, at('2026-11-23T23:59:59'))).toBe('23:43 yesterday')
  expect(sinceText(since, at('2026-11-24T00:00:00'))).toBe('22 Nov, 23:43')
  expect(sinceText(since, at('2027-01-01T00:10:00'))).toBe('22 Nov 2026, 23:43')
})

test('on the day of a change of the clock yesterday is the day before', () => {
  setTimeStyle({ timeZone: 'Europe/Berlin', dateFormat: 'day-month', hourCycle: '24' })
  // The day has 23 hours.
  const now = new Date('2026-03-29T23:30:00+02:00')
  expect(sinceText('2026-03-28T23:50:00+01:00', now)).toBe('23:50 yesterday')
  expect(sinceText('2026-03-29T00:10:00+01:00', now)).toBe('00:10')
})

test('since when is written in the style of its reader', () => {
  const now = new Date('2026-11-23T00:10:00Z')
  setTimeStyle({ timeZone: 'UTC', dateFormat: 'month-day', hourCycle: '12' })
  expect(sinceText('2026-11-22T23:43:00Z', now)).toBe('11:43 pm yesterday')
  expect(sinceText('2026-11-19T23:43:00Z', now)).toBe('Nov 19, 11:43 pm')
  setTimeStyle({ timeZone: 'UTC', dateFormat: 'iso', hourCycle: '24' })
  expect(sinceText('2025-11-19T23:43:00Z', now)).toBe('2025-11-19, 23:43')
})
