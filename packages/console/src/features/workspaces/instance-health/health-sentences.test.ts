import type { InstanceLimit } from '@bey/contract'
import { expect, test } from 'vitest'
import { firstLimitSentence, growthText, healthTitle, reachedIn } from './health-sentences.ts'

const limit: InstanceLimit = {
  id: 'connections',
  title: 'Database connections',
  unit: 'count',
  now: 41,
  of: 60,
  growthPerMonth: 4,
  daysLeft: 142,
  historyDays: 90,
  help: '',
}
const check = (status: 'ok' | 'warning' | 'failed' | 'unknown') => ({
  id: status,
  title: '',
  status,
  detail: '',
  action: null,
})

test.each([
  [[], true, 'This Bey is healthy'],
  [['warning'], false, '1 check of this Bey needs attention'],
  [['warning', 'unknown', 'ok'], false, '2 checks of this Bey need attention'],
  [['warning', 'failed'], false, '1 check of this Bey failed'],
] as const)('%j is titled', (statuses, isHealthy, title) => {
  expect(healthTitle({ checks: statuses.map(check), isHealthy })).toBe(title)
})

test('what breaks first is said of measured growth alone', () => {
  expect(firstLimitSentence([limit])).toBe('Its first limit will be database connections, in about 5 months.')
  const flat = { ...limit, growthPerMonth: 0, daysLeft: null }
  expect(firstLimitSentence([flat])).toBe('No limit comes closer.')
  const young = { ...flat, growthPerMonth: null, historyDays: 2 }
  expect(firstLimitSentence([young])).toBe('There is not enough history yet to say what breaks first.')
  expect(reachedIn(young)).toBe('unknown, 2 of 7 days')
})

test('growth and its end are rounded to what is known', () => {
  expect(growthText(limit)).toBe('+4 a month')
  expect(growthText({ unit: 'bytes', growthPerMonth: -3 * 1024 ** 3 })).toBe('−3 GiB a month')
  expect(growthText({ unit: 'count', growthPerMonth: 0.2 })).toBe('flat')
  expect([0.3, 12, 400, 5000].map((daysLeft) => reachedIn({ ...limit, daysLeft }))).toEqual([
    'less than a day',
    'about 12 days',
    'about 13 months',
    'years',
  ])
})
