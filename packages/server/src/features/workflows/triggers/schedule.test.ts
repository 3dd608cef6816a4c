import { expect, test } from 'vitest'

import { nextScheduledTime, previewSchedule, ScheduleError } from './schedule.ts'

const from = new Date('2026-11-22T10:00:00Z')
const times = (cron: string, timeZone = 'UTC') =>
  previewSchedule(cron, timeZone, from).nextTimes.map((time) => time.toISOString())

test('a schedule is shown in words with its next five times', () => {
  const { summary, nextTimes } = previewSchedule('30 2 * * *', 'UTC', from)
  expect(summary).toBe('At 02:30 (UTC)')
  expect(nextTimes).toHaveLength(5)
  expect(times('30 2 * * 1')[0]).toBe('2026-11-23T02:30:00.000Z')
})

test('times follow the clocks of the time zone', () => {
  expect(times('0 9 * * *', 'America/New_York')[0]).toBe('2026-11-22T14:00:00.000Z')
  const june = nextScheduledTime('0 9 * * *', 'America/New_York', new Date('2027-06-01T00:00:00Z'))
  expect(june?.toISOString()).toBe('2027-06-01T13:00:00.000Z')
})

test('what cannot be a schedule is refused with the reason', () => {
  const refused = (cron: string, timeZone = 'UTC') => {
    try {
      previewSchedule(cron, timeZone, from)
    } catch (error) {
      if (error instanceof ScheduleError) return `${error.field}: ${error.message}`
      throw error
    }
    return 'accepted'
  }
  expect(refused('0 0 30 2 *')).toBe('cron: This schedule never comes: no day has such a date.')
  expect(refused('* * *')).toContain('five fields')
  expect(refused('0 0 0 * * *')).toContain('this one has 6')
  expect(refused('61 * * * *')).toContain('cron: This schedule cannot be read')
  expect(refused('hello world a b c')).toContain('cron: ')
  expect(refused('0 0 * * *', 'Mars/Olympus')).toContain('time_zone: There is no time zone')
})

test('what becomes of a time that a change of the clocks leaves out or repeats is shown beforehand', () => {
  const { notes } = previewSchedule('30 2 * * *', 'Europe/Berlin', from)
  expect(notes).toEqual([
    'On March 28, 2027 the clocks go forward from 02:00 to 03:00: the run starts at 03:00.',
    'On October 31, 2027 the clocks go back from 03:00 to 02:00: the run starts once, at 00:30 UTC.',
  ])
})

test('the note on a change of the clocks is the same in whichever second it is asked for', () => {
  const asked = new Date('2026-11-22T10:00:00.000Z').getTime()
  const { notes } = previewSchedule('30 2 * * *', 'Europe/Berlin', new Date(asked))
  for (const offset of [1, 29_999, 30_001, 59_999, 61_777, 3_599_999, 40_271_313, 85_999_001]) {
    const again = previewSchedule('30 2 * * *', 'Europe/Berlin', new Date(asked + offset))
    expect(again.notes, String(offset)).toEqual(notes)
  }
})

test('a schedule that no change of the clocks touches has no note', () => {
  expect(previewSchedule('0 9 * * *', 'Europe/Berlin', from).notes).toEqual([])
  expect(previewSchedule('*/15 * * * *', 'Europe/Berlin', from).notes).toEqual([])
  expect(previewSchedule('30 2 * * *', 'UTC', from).notes).toEqual([])
})
