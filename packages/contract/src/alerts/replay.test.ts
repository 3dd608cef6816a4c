import { expect, test } from 'vitest'

import { observationsOf } from './observations.ts'
import { limitsAround, replay, suggestedLimit } from './replay.ts'
import { conditionText, durationText } from './rules.ts'

const minute = 60_000
const times = (count: number, stepMs = minute) => Array.from({ length: count }, (_, index) => index * stepMs)
const above = (limit: number) => ({ kind: 'threshold', direction: 'above', limit }) as const

test('a replay tells when a rule would have fired, for how long and how far', () => {
  const values = times(60).map((_, index) => (index >= 10 && index < 30 ? index : 0))
  const [episode, ...others] = replay({ condition: above(5), forMs: 5 * minute }, times(60), [
    { labels: { cluster: 'a' }, values },
  ])
  expect(others).toEqual([])
  expect(episode).toEqual({ labels: { cluster: 'a' }, fromMs: 15 * minute, toMs: 35 * minute, peak: 29 })
})

test('a higher limit never fires more often', () => {
  const values = times(500).map((_, index) => (index * 7919) % 100)
  const counts = [50, 80, 99, 100].map(
    (limit) =>
      replay({ condition: above(limit), forMs: 0 }, times(500, 10 * minute), [{ labels: {}, values }]).length,
  )
  expect(counts).toEqual(counts.toSorted((a, b) => b - a))
  expect(counts.at(-1)).toBe(0)
})

test('a change is compared with the value that long before, in figures or in per cent', () => {
  const values = [10, 10, 10, 10, 10, 16, 16]
  const change = { kind: 'change', direction: 'up', withinMs: 2 * minute } as const
  const judged = (by: number, isPercent: boolean) =>
    observationsOf({ ...change, by, isPercent }, times(7), values).map(({ isBreached }) => isBreached)
  expect(judged(6, false)).toEqual([false, false, false, false, false, true, true])
  expect(judged(61, true)).not.toContain(true)
  expect(observationsOf({ ...change, by: 6, isPercent: true }, times(7), values)[5]?.value).toBe(60)
})

test('a change from nothing counts as a large one, and one without a value before as none', () => {
  const change = { kind: 'change', direction: 'up', by: 10, isPercent: true, withinMs: minute } as const
  expect(observationsOf(change, times(3), [0, 5, null])).toEqual([
    { atMs: 0, value: null, isBreached: false },
    { atMs: minute, value: 1_000_000, isBreached: true },
    { atMs: 2 * minute, value: null, isBreached: null },
  ])
})

test('a forecast follows the line through the last values', () => {
  const hour = 60 * minute
  const values = times(120).map((_, index) => 50 + index / 60)
  const forecast = { kind: 'forecast', direction: 'above', limit: 60, withinMs: 7 * hour } as const
  const last = observationsOf(forecast, times(120), values).at(-1)
  // One an hour: 51.98 now is 58.98 in 7 h.
  expect(last?.value).toBeCloseTo(58.98, 1)
  expect(last?.isBreached).toBe(false)
  const sooner = { ...forecast, limit: 58.5 }
  expect(observationsOf(sooner, times(120), values).at(-1)?.isBreached).toBe(true)
})

test('a forecast through too few values only knows the value itself', () => {
  const forecast = { kind: 'forecast', direction: 'above', limit: 3, withinMs: 60 * minute } as const
  expect(observationsOf(forecast, times(3), [1, 2, 4]).map(({ isBreached }) => isBreached)).toEqual([
    false,
    false,
    true,
  ])
})

test('absence fires where nothing is measured, and is never without data', () => {
  const values = times(20).map((_, index) => (index < 10 ? 1 : null))
  const found = replay({ condition: { kind: 'absence' }, forMs: 3 * minute }, times(20), [
    { labels: {}, values },
  ])
  expect(found).toMatchObject([{ fromMs: 13 * minute, toMs: null }])
})

test('limits to compare are round, with the one in force among them', () => {
  expect(limitsAround(85)).toEqual([43, 68, 85, 110, 170])
  expect(limitsAround(-10)).toEqual([-20, -13, -10, -8, -5])
  expect(limitsAround(0)).toEqual([0])
})

test('conditions and durations read as words', () => {
  expect(conditionText(above(85), 15 * minute, (limit) => `${limit} %`)).toBe('above 85 % for 15 min')
  expect(conditionText({ kind: 'absence' }, 0)).toBe('no values')
  expect(
    conditionText({ kind: 'forecast', direction: 'above', limit: 9, withinMs: 96 * 60 * minute }, 0),
  ).toBe('forecast above 9 within 4 d')
  expect(durationText(90_000)).toBe('90 s')
})

test('the limit that is suggested fires for all that was acted on, and less often for nothing', () => {
  const at = (limit: number, count: number, actedOnCount: number) => ({ limit, count, actedOnCount })
  const limits = [at(40, 20, 3), at(80, 12, 3), at(100, 4, 3), at(160, 1, 1)]
  expect(suggestedLimit(limits, 80)).toEqual(at(100, 4, 3))
  expect(suggestedLimit(limits, 100)).toBeUndefined()
  expect(suggestedLimit([at(80, 12, 0), at(100, 4, 0)], 80)).toBeUndefined()
})
