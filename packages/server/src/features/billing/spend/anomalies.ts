import { approximately, type Decimal, estimated } from '../../../platform/decimal.ts'
import { amountOf, byDay, valueOf } from './day-sums.ts'
import type { SubjectNames, SumRow } from './sums.ts'
import { causeOf, type Move, quantityText } from './why.ts'

export type Anomaly = { date: string; amount: Decimal; usual: Decimal; percent: number; moves: Move[] }

const daysBefore = 28
const minDaysBefore = 7
/** Days of the same kind, working days or days of a weekend, without which a day is not judged. */
const minSameKind = 3
/** So long a level that was named is not named again, where a weekend lay between. */
const sameLevelDays = 7
/** Below this difference a day is not worth a sentence, however regular the days before were. */
const minPercent = 15
/** Median absolute deviations, scaled to standard deviations of a normal distribution. */
const deviations = 4 * 1.4826

/**
 * Complete days that cost unlike those of the four weeks before, working days and days of weekends each among their own:
 * further from their median than 4 deviations and 15 %. Of a level that stays, the first day alone is one. Causes are the
 * things that moved most against their own medians.
 */
export function anomaliesOf(
  rows: readonly SumRow[],
  /** Complete days in order, with their hours: of the month and as many before it as are known. */
  completeDays: readonly { date: string; hours: number }[],
  shown: ReadonlySet<string>,
  of: { names: ReadonlyMap<string, SubjectNames>; clusterNames: ReadonlyMap<number, string> },
): Anomaly[] {
  const days = completeDays.map(({ date }) => date)
  const hoursOf = new Map(completeDays.map(({ date, hours }) => [date, hours]))
  const totals = byDay(rows, days).map(approximately)
  const first = totals.findIndex((total) => total !== 0)
  const byKey = Map.groupBy(
    rows.filter(({ isRest }) => !isRest),
    ({ key }) => key,
  )
  const found: Anomaly[] = []
  let lastSide = 0
  let named: { side: number; index: number } | undefined
  days.forEach((date, index) => {
    if (first === -1 || index - first < minDaysBefore) return
    const from = Math.max(first, index - daysBefore)
    const window = days.slice(from, index).filter((day) => isWeekend(day) === isWeekend(date))
    if (window.length < minSameKind) return
    const before = window.map((day) => totals[days.indexOf(day)] ?? 0)
    const usual = median(before)
    const deviation = median(before.map((value) => Math.abs(value - usual)))
    const difference = (totals[index] ?? 0) - usual
    const isUnusual =
      Math.abs(difference) > deviations * deviation && Math.abs(difference) > (minPercent / 100) * usual
    const side = isUnusual ? Math.sign(difference) : 0
    const isFirst =
      side !== 0 && side !== lastSide && !(named?.side === side && index - named.index <= sameLevelDays)
    lastSide = side
    if (side !== 0) named = { side, index }
    if (!isFirst || !shown.has(date)) return
    const moves = [...byKey].flatMap(([key, all]): Move[] => {
      if (key === null) return []
      const onDay = all.filter(({ day }) => day === date)
      const { name, meter, subject } = causeOf(key, all, of)
      const perHour = (day: string) =>
        approximately(valueOf(all.filter((row) => row.day === day))) / (hoursOf.get(day) ?? 24)
      const usualAmount = median(byDay(all, window).map(approximately))
      const amount = approximately(amountOf(onDay)) - usualAmount
      if (Math.sign(amount) !== side || Math.abs(amount) < Math.abs(difference) / 10) return []
      const text = quantityText(meter, median(window.map(perHour)), perHour(date))
      return [{ key, name, text, amount: estimated(amount), subject, changedOn: null }]
    })
    found.push({
      date,
      amount: estimated(totals[index] ?? 0),
      usual: estimated(usual),
      percent: usual === 0 ? 100 : (difference / usual) * 100,
      moves: moves
        .toSorted((a, b) => Math.abs(approximately(b.amount)) - Math.abs(approximately(a.amount)))
        .slice(0, 5),
    })
  })
  return found.slice(-10)
}

/**
 * `24 November cost 38 % more than usual, because staging grew from 3.0 to 9.0 nodes.` Where part of the day is not
 * metered, that is why it cost less, whatever else changed.
 */
export function anomalyText(
  { date, percent, moves }: Anomaly,
  monthNameOf: (date: string) => string,
  unmetered: string | null = null,
): string {
  const more = percent >= 0 ? 'more' : 'less'
  const day = `${Number(date.slice(8))} ${monthNameOf(date)}`
  const [cause] = moves
  const begin = `${day} cost ${Math.abs(Math.round(percent))} % ${more} than usual`
  if (unmetered !== null && percent < 0) return `${begin}, because ${unmetered}.`
  if (cause === undefined) return `${begin}; no single thing moved it.`
  if (cause.text === null) return `${begin}, because of ${cause.name}.`
  return `${begin}, because ${cause.name} ${percent >= 0 ? 'grew' : 'shrank'} from ${cause.text}.`
}

const isWeekend = (date: string) => [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())

function median(values: readonly number[]): number {
  if (values.length === 0) return 0
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}
