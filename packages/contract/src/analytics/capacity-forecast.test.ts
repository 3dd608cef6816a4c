import { expect, test } from 'vitest'
import { type Forecast, forecastFull, forecastText } from './capacity-forecast.ts'

const dayMs = 86_400_000
const stepMs = dayMs / 4
const range = { fromMs: 0, stepMs }
const steps = (days: number, valueAt: (day: number) => number | null) =>
  Array.from({ length: days * 4 }, (_, index) => valueAt((index + 0.5) / 4))
const nowMs = 30 * dayMs

const daysUntil = (forecast: Forecast) =>
  forecast.state === 'fills' ? Math.round((forecast.atMs - nowMs) / dayMs) : forecast.state

test('a steady growth of 1 a day from 40 reaches 100 in 30 days', () => {
  expect(
    daysUntil(
      forecastFull(
        steps(30, (day) => 40 + day),
        100,
        range,
      ),
    ),
  ).toBe(30)
})

test('a night of maintenance and a gap do not bend the line', () => {
  const values = steps(30, (day) => (day > 10 && day < 11 ? 0 : day > 15 && day < 18 ? null : 40 + day))
  expect(daysUntil(forecastFull(values, 100, range))).toBe(30)
})

test.each([
  ['what does not grow', () => 40],
  ['what shrinks', (day: number) => 80 - day],
  ['a daily rhythm without growth', (day: number) => 40 + 20 * Math.sin(day * 2 * Math.PI)],
  ['a growth that takes longer than a year', (day: number) => 40 + day / 100],
])('%s is not forecast to be full', (_, valueAt) => {
  expect(forecastFull(steps(30, valueAt), 100, range)).toEqual({ state: 'steady' })
})

test('less than three days of history is said instead of a date, and a full thing is full', () => {
  expect(
    forecastFull(
      steps(2, (day) => 40 + 10 * day),
      100,
      range,
    ),
  ).toEqual({ state: 'short_history', days: 1 })
  expect(forecastFull([], 100, range)).toEqual({ state: 'short_history', days: 0 })
  expect(
    forecastFull(
      steps(1, () => 100),
      100,
      range,
    ),
  ).toEqual({ state: 'full' })
})

test.each([
  [{ state: 'fills', atMs: nowMs + 0.2 * dayMs }, 'full in a day at this rate'],
  [{ state: 'fills', atMs: nowMs + 5 * dayMs }, 'full in 5 days at this rate'],
  [{ state: 'fills', atMs: nowMs + 40 * dayMs }, 'full in 6 weeks at this rate'],
  [{ state: 'fills', atMs: nowMs + 213 * dayMs }, 'full in 7 months at this rate'],
  [{ state: 'steady' }, 'not full within a year at this rate'],
  [{ state: 'short_history', days: 1 }, 'no forecast before 3 days of history'],
] as const)('%j is said as "%s"', (forecast, text) => expect(forecastText(forecast, nowMs)).toBe(text))
