import { expect, test } from 'vitest'
import { groupMarks, spread, timeTicks, troublePlace, valueAxis } from './chart-layout.ts'

const hour = 3_600_000
const noon = Date.parse('2026-11-22T12:00:00Z')

test('a day has a tick an hour and a label every three', () => {
  const ticks = timeTicks({ fromMs: noon - 24 * hour, toMs: noon }, 580, 0)
  expect(ticks).toHaveLength(25)
  expect(ticks.filter(({ isLabelled }) => isLabelled).map(({ at }) => new Date(at).getUTCHours())).toEqual([
    12, 15, 18, 21, 0, 3, 6, 9, 12,
  ])
})

test('labels stand at round times of the reader’s own zone', () => {
  const ticks = timeTicks({ fromMs: noon - 24 * hour, toMs: noon }, 580, 5.5 * hour)
  const [first] = ticks.filter(({ isLabelled }) => isLabelled)
  expect(new Date(first?.at ?? 0).toISOString()).toBe('2026-11-21T12:30:00.000Z')
})

test('a narrow axis has fewer labels, a week has days', () => {
  const labels = timeTicks({ fromMs: noon - 24 * hour, toMs: noon }, 230, 0).filter(
    ({ isLabelled }) => isLabelled,
  )
  expect(labels.length).toBeLessThanOrEqual(4)
  expect(timeTicks({ fromMs: noon - 168 * hour, toMs: noon }, 580, 0).every(({ isDay }) => isDay)).toBe(true)
})

test('a value axis ends above the largest value and has round lines', () => {
  const series = [{ name: 'a', values: [1, null, 870] }]
  expect(valueAxis({ series }).ticks).toEqual([0, 250, 500, 750])
  expect(valueAxis({ series: [{ name: 'a', values: [3 * 2 ** 30] }], base: 2 }).ticks).toEqual(
    [0, 1, 2, 3].map((gib) => gib * 2 ** 30),
  )
  expect(valueAxis({ series: [] })).toMatchObject({ top: 1, ticks: [0, 0.25, 0.5, 0.75, 1] })
})

test('labels that would overlap are moved apart, in their order and within the panel', () => {
  expect(spread([10, 50, 90], 14, 100)).toEqual([10, 50, 90])
  const close = spread([95, 97, 96, 20], 14, 100)
  expect(close).toEqual([72, 100, 86, 20])
})

test('marks that are too close become one box, and those outside of the range are left out', () => {
  const range = { fromMs: 0, toMs: 100 }
  const mark = (at: number) => ({ at, kind: 'run' as const, text: String(at) })
  const groups = groupMarks([mark(50), mark(2), mark(4), mark(150)], (at) => at, range)
  expect(groups.map(({ x, marks }) => [x, marks.length])).toEqual([
    [2, 2],
    [50, 1],
  ])
})

test('a count touches no mark beside it: what it would touch is counted too', () => {
  const range = { fromMs: 0, toMs: 100 }
  const mark = (when: number) => ({ at: when, kind: 'run' as const, text: '' })
  const groups = groupMarks([mark(0), mark(10), mark(14), mark(40), mark(49)], (when) => when, range)
  expect(groups.map(({ x, marks }) => [x, marks.length])).toEqual([
    [0, 3],
    [40, 1],
    [49, 1],
  ])
})

test('the text of trouble stands before its line in the right half, and never on the title', () => {
  const text = 'failing since 20:55'
  expect(troublePlace(500, 560, 'CPU', text)).toEqual({ right: 64 })
  expect(troublePlace(100, 560, 'CPU', text)).toEqual({ left: 104 })
  const title = 'CPU, 279m of 7.8 cores used'
  expect(troublePlace(240, 438, title, text)).toEqual({ left: 244 })
  expect(troublePlace(10, 438, title, text)).toEqual({ left: title.length * 6.2 + 8 })
  expect(troublePlace(215, 300, title, text)).toEqual({ right: 0 })
})
