import { expect, test } from 'vitest'
import { shownPart } from './little-history.ts'

const minute = 60_000
const noon = Date.parse('2026-11-22T12:00:00Z')
/** A day in steps of 15 min that ends at noon, with values in the last steps. */
function day(measured: number, { isSelected = false, others = 0 } = {}) {
  const times = Array.from({ length: 96 }, (_, at) => noon - (96 - at) * 15 * minute)
  const series = (count: number) => ({
    name: 'CPU',
    values: times.map((_, at) => (at >= 96 - count ? 40 : null)),
  })
  const range = { fromMs: noon - 24 * 60 * minute, toMs: noon }
  const panels = [{ series: [series(measured)] }, { series: [series(others)], references: [series(96)] }]
  return { range, shown: shownPart({ times, range, panels }, isSelected) }
}
const time = (at: number | undefined) =>
  at === undefined ? undefined : new Date(at).toISOString().slice(11, 16)

test.each<
  [of: string, asked: Parameters<typeof day>, from: string, since: string | undefined, steps: number]
>([
  ['a whole day is shown whole', [96], '12:00', undefined, 96],
  ['a day with a gap at its beginning is shown whole', [60], '12:00', undefined, 96],
  ['an hour of data fills the chart', [4], '11:00', '11:00', 4],
  ['five hours fill the chart', [20], '07:00', '07:00', 20],
  ['a single value keeps some time around it', [1], '11:00', '11:45', 4],
  ['nothing at all keeps the range', [0], '12:00', undefined, 96],
  ['the panel with the longest history decides', [4, { others: 12 }], '09:00', '09:00', 12],
  ['a range that a person selected stays', [4, { isSelected: true }], '12:00', undefined, 96],
])('%s', (_, asked, from, since, steps) => {
  const { shown, range } = day(...asked)
  expect([time(shown.range.fromMs), time(shown.sinceMs), shown.times.length]).toEqual([from, since, steps])
  expect(shown.range.toMs).toBe(range.toMs)
  // References alone do not stretch a chart, and keep in step with it.
  for (const { series, references = [] } of shown.panels)
    for (const { values } of [...series, ...references]) expect(values).toHaveLength(steps)
})
