import { expect, test } from 'vitest'
import { dueTime, type Timing } from './due-time.ts'

const at = (text: string) => new Date(`2026-11-${text}Z`)
const timing = (change: Partial<Timing>): Timing => ({
  quietFrom: null,
  quietTo: null,
  timeZone: 'Europe/Berlin',
  digest: 'none',
  ...change,
})
const night = { quietFrom: '22:00', quietTo: '07:00' }

// Berlin is an hour ahead of UTC in November.
test.each([
  ['at once without quiet hours', '17T23:30:10', {}, '17T23:30:10'],
  ['at once outside of them', '17T12:00:00', night, '17T12:00:00'],
  ['at their end before midnight', '17T21:30:10', night, '18T06:00:00'],
  ['at their end after midnight', '18T01:15:00', night, '18T06:00:00'],
  ['at once in the minute in which they end', '18T06:00:00', night, '18T06:00:00'],
  ['at the end of a quiet noon', '17T11:30:00', { quietFrom: '12:00', quietTo: '13:00' }, '17T12:00:00'],
  ['with the next hour', '17T12:10:30', { digest: 'hourly' }, '17T13:00:00'],
  ['with the digest of the next morning', '17T12:10:30', { digest: 'daily' }, '18T07:00:00'],
  ['with the digest of this morning', '17T05:10:30', { digest: 'daily' }, '17T07:00:00'],
  [
    'after the quiet hours that a digest falls into',
    '17T22:10:00',
    { ...night, digest: 'hourly' },
    '18T06:00:00',
  ],
] as const)('%s', (_what, now, change, due) => {
  expect(dueTime(at(now), timing(change)).toISOString()).toBe(at(due).toISOString())
})
