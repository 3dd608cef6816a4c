import { expect, test } from 'vitest'
import { dayOf, monthOf, monthOfInstant, shiftMonth } from './months.ts'

const iso = (ms: number | undefined) => new Date(ms ?? 0).toISOString()
const hours = (month: string, zone: string, day: number) => {
  const { days, toMs } = monthOf(month, zone)
  return ((days[day]?.fromMs ?? toMs) - (days[day - 1]?.fromMs ?? 0)) / 3_600_000
}

test('a month begins and ends at midnight of its time zone', () => {
  const { fromMs, toMs, days } = monthOf('2026-10', 'Europe/Berlin')
  expect([iso(fromMs), iso(toMs), days.length]).toEqual([
    '2026-09-30T22:00:00.000Z',
    '2026-10-31T23:00:00.000Z',
    31,
  ])
})

test('a day has 25 hours when clocks go back, and 23 when they go forward', () => {
  expect(hours('2026-10', 'Europe/Berlin', 25)).toBe(25)
  expect(hours('2026-03', 'Europe/Berlin', 29)).toBe(23)
  expect(hours('2026-10', 'Europe/Berlin', 24)).toBe(24)
})

test('in a zone of half hours a day begins at the first full hour of UTC', () => {
  const { fromMs } = monthOf('2026-11', 'Asia/Kolkata')
  expect(iso(fromMs)).toBe('2026-10-31T19:00:00.000Z')
  expect(dayOf(fromMs - 1, 'Asia/Kolkata')).toBe('2026-10-31')
  expect(dayOf(fromMs, 'Asia/Kolkata')).toBe('2026-11-01')
})

test('every instant of a month belongs to it, and those around it do not', () => {
  for (const zone of ['UTC', 'America/St_Johns', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const { fromMs, toMs } = monthOf('2026-02', zone)
    const found = [fromMs - 1, fromMs, toMs - 1, toMs].map((ms) => monthOfInstant(ms, zone))
    expect(found, zone).toEqual(['2026-01', '2026-02', '2026-02', '2026-03'])
  }
  expect([shiftMonth('2026-01', -1), shiftMonth('2026-12', 1)]).toEqual(['2025-12', '2027-01'])
})
