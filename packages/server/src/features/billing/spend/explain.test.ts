import { expect, test } from 'vitest'
import { hoursOfDays, monthOf } from '../../../platform/usage/months.ts'
import { decimalOf, decimalText, sumOf } from '../../../platform/decimal.ts'
import { anomaliesOf, anomalyText } from './anomalies.ts'
import { begunDays } from './day-sums.ts'
import { forecastOf } from './forecast.ts'
import type { SumRow } from './sums.ts'
import { type ComparedDay, movesOf } from './why.ts'

const month = monthOf('2026-11', 'Europe/Berlin')
const dates = month.days.map(({ date }) => date)
const noon = (day: number) => (month.days[day - 1]?.fromMs ?? 0) + 12 * 3_600_000
/** Days of the month so far: the last one is under way. */
const untilDay = (count: number): ComparedDay[] =>
  dates.slice(0, count).map((date, index) => ({ date, hours: 24, share: 1, isComplete: index < count - 1 }))
const october = monthOf('2026-10', 'Europe/Berlin')
const hoursOfOctober = hoursOfDays(october)
const octoberDays = october.days.map(({ date }): ComparedDay => {
  return { date, hours: hoursOfOctober.get(date) ?? 0, share: 1, isComplete: true }
})
const complete = (count: number) => dates.slice(0, count).map((date) => ({ date, hours: 24 }))
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
  // Metering that begins in the middle of the month has its five days later, without the day on which it began.
  const late = [...Array.from({ length: 9 }, () => 0), 10, 10]
  expect(forecastOf(month, amounts(...late), noon(11))).toMatchObject({ from: '2026-11-16' })
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
  const found = anomaliesOf(rows, complete(23), new Set(dates), names)
  expect(found.map(({ date }) => date)).toEqual(['2026-11-21'])
  const [anomaly] = found
  if (anomaly === undefined) throw new Error('It is found')
  expect(anomalyText(anomaly, () => 'November')).toBe(
    '21 November cost 40 % more than usual, because staging grew from 3.0 to 9.0 nodes.',
  )
  expect(decimalText(anomaly.usual)).toBe('36.000000')
})

test('weekends that are always quiet are not unusual, and a level is named once although a weekend lay between', () => {
  const isQuiet = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
  const days = [...octoberDays, ...complete(30)]
  const rows = days.map(({ date }) => row(date, 1, isQuiet(date) ? 3 : date >= '2026-11-12' ? 15 : 10))
  const found = anomaliesOf(rows, days, new Set(dates), names)
  expect(found.map(({ date }) => date)).toEqual(['2026-11-12'])
})

test('days that vary as they always do are not unusual, nor is the first week', () => {
  const rows = dates.map((day, index) => row(day, 1, 10 + (index % 3)))
  expect(anomaliesOf(rows, complete(30), new Set(dates), names)).toEqual([])
  const young = dates.slice(0, 6).map((day, index) => row(day, 1, index === 5 ? 50 : 5))
  expect(anomaliesOf(young, complete(6), new Set(dates), names)).toEqual([])
})

test('the causes and the rest add up to the difference of two months, also of a forecast', () => {
  const clusters = Array.from({ length: 12 }, (_none, index) => index + 1)
  for (const forecast of [null, decimalOf('1234.567891')]) {
    const { from, to, moves, rest, restCount } = movesOf({
      ...names,
      current: dates.slice(0, 20).flatMap((day) => clusters.map((id) => row(day, id, id * 1.37))),
      before: octoberDays.flatMap(({ date: day }) => clusters.map((id) => row(day, id, id))),
      days: untilDay(20),
      daysBefore: octoberDays,
      forecast,
    })
    expect(moves).toHaveLength(8)
    expect(restCount).toBe(4)
    expect(from + sumOf(moves.map(({ amount }) => amount)) + rest).toBe(to)
    if (forecast !== null) expect(to).toBe(forecast)
  }
})

test('acts are looked for on the day on which a thing changed most, and not on the one that is under way', () => {
  // It grows on the 12th; of the 20th only an hour is over.
  const amounts = dates.slice(0, 20).map((day, index) => row(day, 1, index === 19 ? 1 : index < 11 ? 10 : 24))
  const { moves } = movesOf({
    ...names,
    current: amounts,
    before: octoberDays.map(({ date }) => row(date, 1, 10)),
    days: untilDay(20),
    daysBefore: octoberDays,
    forecast: null,
  })
  expect(moves.map(({ changedOn }) => changedOn)).toEqual(['2026-11-12'])
})

test('a level that stays is no change, although today is not over and clocks change', () => {
  // Three nodes all the time: 25 hours on the day that is longer, and of today only two.
  const before = octoberDays.map(({ date, hours }) => ({ ...row(date, 1, 3), value: String(3 * hours) }))
  const current = dates
    .slice(0, 20)
    .map((day, index) => ({ ...row(day, 1, 3), value: index === 19 ? '6' : '72' }))
  const of = { ...names, current, before, days: untilDay(20), daysBefore: octoberDays, forecast: null }
  expect(movesOf(of).moves.map(({ text }) => text)).toEqual([null])
  const grown = current.map((each) => ({ ...each, value: String(2 * Number(each.value)) }))
  expect(movesOf({ ...of, current: grown }).moves.map(({ text }) => text)).toEqual(['3.0 to 6.0 nodes'])
  // On the first day of a month nothing is said of quantities: no day of it is over.
  expect(movesOf({ ...of, current: grown, days: untilDay(1) }).moves[0]?.text).toBeNull()
})

test('until a forecast there is, the part of today that is over is held against the same part of last month', () => {
  const part = octoberDays.slice(0, 3).map((day, index) => ({ ...day, share: index === 2 ? 0.25 : 1 }))
  const { from, to } = movesOf({
    ...names,
    current: dates.slice(0, 3).map((day, index) => row(day, 1, index === 2 ? 2.5 : 10)),
    before: octoberDays.map(({ date }) => row(date, 1, 10)),
    days: untilDay(3),
    daysBefore: part,
    forecast: null,
  })
  expect(decimalText(from)).toBe(decimalText(to))
})

test('the days to come are forecast at the prices that will hold on them', () => {
  const days = amounts(...Array.from({ length: 20 }, () => 10), 5)
  const doubled = amounts(...Array.from({ length: 20 }, () => 20), 10)
  const from = (day: number) => month.days[day - 1]?.fromMs ?? 0
  const repriced = [
    { version: 1, fromMs: from(1), amounts: days },
    { version: 2, fromMs: from(26), amounts: doubled },
  ]
  const forecast = forecastOf(month, days, noon(21), { meteredFromMs: from(1), repriced })
  // 25 days of 10, and 5 of 20.
  expect(forecast).toMatchObject({ amount: '350.000000' })
  if (forecast.state !== 'ready') throw new Error('It can be forecast')
  expect(forecast.method).toContain('version 2, which hold from 26 November on, 20.00 a day')
  // The prices changed before today: the days before are forecast from at the new ones.
  const since = [{ version: 2, fromMs: from(18), amounts: doubled }]
  expect(forecastOf(month, days, noon(21), { meteredFromMs: from(1), repriced: since })).toMatchObject({
    amount: '395.000000',
  })
})

test('a day that is longer or shorter because clocks change is neither unusual nor another level', () => {
  const rows = octoberDays.map(({ date, hours }) => ({
    ...row(date, 1, 3),
    value: String(3 * hours),
    amount: String(3 * hours * 0.1),
  }))
  expect(anomaliesOf(rows, octoberDays, new Set(octoberDays.map(({ date }) => date)), names)).toEqual([])
  const of = { meteredFromMs: october.fromMs, repriced: [] }
  const before = rows.slice(0, 26).map(({ amount }) => decimalOf(amount))
  expect(forecastOf(october, before, october.days[26]?.fromMs ?? 0, of)).toMatchObject({
    amount: decimalText(sumOf(rows.map(({ amount }) => decimalOf(amount)))),
  })
})

test('an applied saving moves the forecast at once, and no longer once a week of measurements shows it', () => {
  const days = amounts(...Array.from({ length: 20 }, () => 10), 4)
  const of = { meteredFromMs: null, repriced: [] }
  const before = forecastOf(month, days, noon(21), of)
  const step = (day: number) => ({ atMs: noon(day), perDay: 2, text: 'prod-1 was removed from prod.' })
  const after = forecastOf(month, days, noon(21), { ...of, savings: [step(21)] })
  if (before.state !== 'ready' || after.state !== 'ready') throw new Error('Both are ready')
  // 9.5 days are to come, each 2 cheaper.
  expect(Number(before.amount) - Number(after.amount)).toBeCloseTo(19, 5)
  expect(after).toMatchObject({
    withoutSavings: before.amount,
    savings: [{ date: '2026-11-21', text: 'prod-1 was removed from prod.' }],
  })
  expect(after.method).toContain('1 applied saving lowered it by 2.00')
  // Applied in the middle of the week that the level is taken from, it counts for the days before alone.
  const midway = forecastOf(month, days, noon(21), { ...of, savings: [step(17)] })
  expect(Number(before.amount) - Number(midway.state === 'ready' && midway.amount)).toBeCloseTo(
    9.5 * 2 * (2.5 / 7) + 9.5 * 2 * (1 / 7),
    1,
  )
  expect(forecastOf(month, days, noon(21), { ...of, savings: [step(9)] })).toMatchObject({
    amount: before.amount,
    withoutSavings: null,
  })
})

test('a day of which hours are not metered cost less because of that, not because something shrank', () => {
  const rows = dates.slice(0, 20).map((day, index) => row(day, 1, index === 19 ? 1 : 10))
  const [anomaly] = anomaliesOf(rows, complete(20), new Set(dates), names)
  if (anomaly === undefined) throw new Error('It is found')
  const text = anomalyText(anomaly, () => 'November', '21 hours of prod-eu are not metered')
  expect(text).toBe('20 November cost 90 % less than usual, because 21 hours of prod-eu are not metered.')
})

test('a clock that was set back hides no usage: days ahead of it are shown while they have some', () => {
  expect(begunDays(month, [row(dates[6] ?? '', 1, 1)], noon(5))).toEqual(dates.slice(0, 7))
  expect(begunDays(month, [], noon(5))).toEqual(dates.slice(0, 5))
})

test('decimals are exact, and are rounded half away from zero', () => {
  expect(decimalText(decimalOf('0.1') + decimalOf('0.2'), 1)).toBe('0.3')
  expect(
    ['0.0000005', '-0.0000005', '0.0000004', '-0.0000004'].map((text) => decimalText(decimalOf(text))),
  ).toEqual(['0.000001', '-0.000001', '0.000000', '0.000000'])
  expect(decimalText(decimalOf('12345678901234567890.5'), 0)).toBe('12345678901234567891')
})
