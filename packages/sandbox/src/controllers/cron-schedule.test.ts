import { expect, test } from 'vitest'
import { checkSchedule, nextRun, parseSchedule } from './cron-schedule.ts'

const next = (schedule: string, after: string) =>
  new Date(nextRun(parseSchedule(schedule), Date.parse(after)) ?? 0).toISOString().slice(0, 16)

test.each([
  ['0 0 * * 5-7', 'end of range (7) above maximum (6): 5-7'],
  ['0 0 * * 7', 'end of range (7) above maximum (6): 7'],
  ['0 0 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['0 0 * * fri-mon', 'beginning of range (5) beyond end of range (1): fri-mon'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
  ['@often', 'unrecognized descriptor: @often'],
  ['@every soon', 'failed to parse duration @every soon: time: invalid duration "soon"'],
])('%s is refused', (schedule, problem) => {
  expect(checkSchedule(schedule)).toBe(problem)
})

test('a day must be both where one of its fields is a star, and else one of both', () => {
  // 1 January 2025 is a Wednesday.
  expect(next('0 0 * * 1', '2025-01-01T00:00:00Z')).toBe('2025-01-06T00:00')
  expect(next('0 0 13 * 1', '2025-01-06T00:00:00Z')).toBe('2025-01-13T00:00')
  expect(next('0 0 14 * 1', '2025-01-13T00:00:00Z')).toBe('2025-01-14T00:00')
  // With a step a star is one no longer: every second day, and Mondays as well.
  expect(next('0 0 */2 * 1', '2025-01-05T00:00:00Z')).toBe('2025-01-06T00:00')
  expect(next('0 0 */1 * 1', '2025-01-01T00:00:00Z')).toBe('2025-01-06T00:00')
  expect(next('0 0 1 * 0-5/2,*', '2025-01-02T00:00:00Z')).toBe('2025-02-01T00:00')
})

test('steps go from a number to the end of the field', () => {
  expect(next('50/5 * * * *', '2025-01-01T00:51:00Z')).toBe('2025-01-01T00:55')
  expect(next('0 22-23/2 * jan SUN', '2025-01-01T00:00:00Z')).toBe('2025-01-05T22:00')
  expect(next('@every 1h30m', '2025-01-01T00:10:00Z')).toBe('2025-01-01T01:40')
})
