import { expect, test } from 'vitest'
import { monthOf } from '../../../platform/usage/months.ts'
import { decimalOf, decimalText, sumOf } from '../decimal.ts'
import { anomaliesOf, anomalyText } from './anomalies.ts'
import { forecastOf } from './forecast.ts'
import type { SumRow } from './sums.ts'
import { movesOf } from './why.ts'

const month = monthOf('2026-11', 'Europe/Berlin')
const dates = month.days.map(({ date }) => date)
const noon = (day: number) => (month.days[day - 1]?.fromMs ?? 0) + 12 * 3_600_000
const amounts = (...values: number[]) => values.map((value) => decimalOf(String(value)))

const names = {
  names: new Map(),
  clusterNames: new Map([
    [1, 'prod-eu'],
    [2, 'staging'],
  ]),
}

/** What the nodes of a cluster cost and how many there were. */
function row(day: string, clusterId: number, nodes: number): SumRow {
  return {
    isRest: false,
    key: `cluster:${clusterId}`,
    day,
    meter: 'node_hours',
    clusterId,
    isShared: false,
    value: String(nodes * 24),
    amount: String(nodes * 24 * 0.1),
    subjectId: null,
  }
}

test('a month without five complete days is not forecast, and says from when it is', () => {
  const early = forecastOf(month, amounts(10, 10, 10, 10, 5), noon(5))
  expect(early).toMatchObject({
    state: 'too_early',
    from: '2026-11-06',
    text: 'A forecast needs 5 complete days: from 6 November.',
  })
  expect(forecastOf(month, amounts(10, 10, 10, 10, 10, 5), noon(6)).state).toBe('ready')
  expect(forecastOf(month, amounts(10), month.toMs).state).toBe('over')
  // Metering that begins in the middle of the month has its five days later.
  const late = [...Array.from({ length: 9 }, () => 0), 10, 10]
  expect(forecastOf(month, amounts(...late), noon(11))).toMatchObject({ from: '2026-11-15' })
})

test('a steady month is forecast exactly, and an unsteady one with an interval', () => {
  const steady = forecastOf(month, amounts(...Array.from({ length: 20 }, () => 10), 5), noon(21))
  expect(steady).toMatchObject({ amount: '300.000000', low: '300.000000', high: '300.000000' })
  const unsteady = forecastOf(
    month,
    amounts(...Array.from({ length: 20 }, (_none, day) => 5 + (day % 2) * 10), 5),
    noon(21),
  )
  if (unsteady.state !== 'ready') throw new Error('It can be forecast')
  expect(Number(unsteady.low)).toBeLessThan(Number(unsteady.amount))
  expect(Number(unsteady.high)).toBeGreaterThan(Number(unsteady.amount))
  expect(unsteady.days.at(-1)).toMatchObject({ date: '2026-11-30', amount: unsteady.amount })
  expect(unsteady.method).toContain('the mean of its last 7 complete days')
})

test('a day that costs more is explained by what grew, and only the first day of a new level is one', () => {
  const rows = dates.slice(0, 23).flatMap((day, index) => [row(day, 1, 12), row(day, 2, index < 20 ? 3 : 9)])
  const found = anomaliesOf(rows, dates.slice(0, 23), new Set(dates), names)
  expect(found.map(({ date }) => date)).toEqual(['2026-11-21'])
  const [anomaly] = found
  if (anomaly === undefined) throw new Error('It is found')
  expect(anomalyText(anomaly, () => 'November')).toBe(
    '21 November cost 40 % more than usual, because staging grew from 3.0 to 9.0 nodes.',
  )
  expect(decimalText(anomaly.usual)).toBe('36.000000')
})

test('days that vary as they always do are not unusual, nor is the first week', () => {
  const rows = dates.map((day, index) => row(day, 1, 10 + (index % 3)))
  expect(anomaliesOf(rows, dates, new Set(dates), names)).toEqual([])
  const young = dates.slice(0, 6).map((day, index) => row(day, 1, index === 5 ? 50 : 5))
  expect(anomaliesOf(young, dates.slice(0, 6), new Set(dates), names)).toEqual([])
})

test('the causes and the rest add up to the difference of two months, also of a forecast', () => {
  const before = monthOf('2026-10', 'Europe/Berlin').days.map(({ date }) => date)
  const clusters = Array.from({ length: 12 }, (_none, index) => index + 1)
  for (const forecast of [null, decimalOf('1234.567891')]) {
    const { from, to, moves, rest, restCount } = movesOf({
      ...names,
      current: dates.slice(0, 20).flatMap((day) => clusters.map((id) => row(day, id, id * 1.37))),
      before: before.flatMap((day) => clusters.map((id) => row(day, id, id))),
      days: new Set(dates.slice(0, 20)),
      daysBefore: new Set(before),
      completeDays: [...before, ...dates.slice(0, 19)],
      forecast,
    })
    expect(moves).toHaveLength(8)
    expect(restCount).toBe(4)
    expect(from + sumOf(moves.map(({ amount }) => amount)) + rest).toBe(to)
    if (forecast !== null) expect(to).toBe(forecast)
  }
})

test('acts are looked for on the day on which a thing changed most, and not on the one that is under way', () => {
  const before = monthOf('2026-10', 'Europe/Berlin').days.map(({ date }) => date)
  // It grows on the 12th; of the 20th only an hour is over.
  const amounts = dates.slice(0, 20).map((day, index) => row(day, 1, index === 19 ? 1 : index < 11 ? 10 : 24))
  const { moves } = movesOf({
    ...names,
    current: amounts,
    before: before.map((day) => row(day, 1, 10)),
    days: new Set(dates.slice(0, 20)),
    daysBefore: new Set(before),
    completeDays: [...before, ...dates.slice(0, 19)],
    forecast: null,
  })
  expect(moves.map(({ changedOn }) => changedOn)).toEqual(['2026-11-12'])
})

test('decimals are exact, and are rounded half away from zero', () => {
  expect(decimalText(decimalOf('0.1') + decimalOf('0.2'), 1)).toBe('0.3')
  expect(
    ['0.0000005', '-0.0000005', '0.0000004', '-0.0000004'].map((text) => decimalText(decimalOf(text))),
  ).toEqual(['0.000001', '-0.000001', '0.000000', '0.000000'])
  expect(decimalText(decimalOf('12345678901234567890.5'), 0)).toBe('12345678901234567891')
})
