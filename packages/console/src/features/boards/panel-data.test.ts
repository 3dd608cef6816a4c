import { expect, test } from 'vitest'
import { panelData } from './panel-data.ts'

type Answers = Parameters<typeof panelData>[0]
type Answer = Answers['answers'][number]

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 23, 8, minutes)).toISOString()
const failing = (values: (number | null)[], cluster: string): Answer['series'][number] => ({
  name: null,
  labels: { cluster },
  values,
})
const answer = (from: string, to: string, stepMs: number, series: Answer['series']): Answer => ({
  from,
  to,
  stepMs,
  series,
  seriesCount: series.length,
  unit: null,
  warnings: [],
})

/** An hour in steps of 30 minutes, and its last five minutes in steps of one. */
const data = (hour: Answer['series'], minutes: Answer['series']) =>
  panelData({
    answers: [answer(at(0), at(60), 1_800_000, hour)],
    latest: [answer(at(55), at(60), 60_000, minutes)],
    before: [],
    legends: ['{{cluster}}'],
    offset: 0,
    durationMs: 5,
  })?.series.map(({ name, now }) => [name, now])

test('the figure of now is the newest value, not the average of the newest step', () => {
  expect(
    data(
      [failing([0, 0.27], 'prod'), failing([2, 2], 'staging')],
      [failing([null, 2, 2, 2, null], 'staging'), failing([0, 0, 0, 7, null], 'prod')],
    ),
  ).toEqual([
    ['prod', 7],
    ['staging', 2],
  ])
})

test('a series that was not measured for five minutes has no figure of now', () => {
  expect(data([failing([3, 3], 'prod')], [])).toEqual([['prod', null]])
})

test('series whose legends are equal are told apart by the labels in which they differ', () => {
  const named = (labels: Record<string, string>) => ({ name: null, labels, values: [1, 1] })
  const names = panelData({
    answers: [
      answer(at(0), at(60), 1_800_000, [
        named({ workload: 'search', cluster: 'prod-eu' }),
        named({ workload: 'search', cluster: 'prod-us' }),
        named({ workload: 'cart', cluster: 'prod-us' }),
        named({ workload: 'same' }),
        named({ workload: 'same' }),
      ]),
    ],
    latest: [],
    before: [],
    legends: ['{{workload}}'],
    offset: 0,
    durationMs: 5,
  })?.series.map(({ name }) => name)
  expect(names).toEqual(['search, prod-eu', 'search, prod-us', 'cart', 'same', 'same (2)'])
})
