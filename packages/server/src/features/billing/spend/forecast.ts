import type { Spend } from '@bey/contract'
import { billingBounds } from '@bey/contract/billing/usage-meters'

import { hoursOfDays, type Month, monthName } from '../../../platform/usage/months.ts'
import { approximately, type Decimal, decimalText, estimated, sumOf } from '../../../platform/decimal.ts'
import { byDay } from './day-sums.ts'
import type { Filters } from './dimensions.ts'
import type { MonthOfBooks } from './read-month.ts'

export type Forecast = Spend['forecast']

/** Days from which the level of the days to come is taken: a week, so that weekends weigh as they do. */
const levelDays = 7
/** Four of five values of a normal distribution lie within so many standard deviations. */
const deviations = 1.2816

/** What the days of a month cost at the prices that hold from an instant on. */
export type Repriced = { version: number; fromMs: number; amounts: readonly Decimal[] }

/** A saving that was applied: since when, and how much less a day costs. */
export type SavingStep = { atMs: number; perDay: number; text: string }

/**
 * The forecast of a month, of what matches the filters. Where prices change in the month, the days to come are forecast
 * at the prices that will hold on them.
 */
export async function forecastOfBooks(
  books: MonthOfBooks,
  filters: Filters,
  amounts: readonly Decimal[],
  nowMs: number,
  /** Savings that are looked at as if they were applied now. */
  planned: readonly SavingStep[] = [],
): Promise<Forecast> {
  const { month, spans } = books
  const dates = month.days.map(({ date }) => date)
  const coming =
    spans.length < 2 ? [] : spans.filter((_span, index) => (spans[index + 1]?.fromMs ?? month.toMs) > nowMs)
  const repriced: Repriced[] = []
  for (const span of coming) {
    const { version, fromMs } = span
    repriced.push({ version, fromMs, amounts: byDay(await books.sumsAtPrices(span, filters), dates) })
  }
  const savings = [...(await books.savings(filters, nowMs)), ...planned]
  return forecastOf(month, amounts, nowMs, { meteredFromMs: books.meteredFromMs, repriced, savings })
}

/**
 * What a month will cost: what it has cost, and for the rest of it the mean of its last 7 complete days. The day on which
 * metering began is not complete. Of the days before a saving was applied, the mean is
 * taken as if it had been. The interval grows with the square root of the days to come, and with the uncertainty of the
 * mean itself.
 */
export function forecastOf(
  month: Month,
  amounts: readonly Decimal[],
  nowMs: number,
  of: { meteredFromMs: number | null; repriced: readonly Repriced[]; savings?: readonly SavingStep[] } = {
    meteredFromMs: null,
    repriced: [],
  },
): Forecast {
  const { days, toMs } = month
  if (nowMs >= toMs) return { state: 'over' }
  const today = days.findLastIndex(({ fromMs }) => fromMs <= nowMs)
  const first = firstCompleteDay(month, amounts, of.meteredFromMs)
  const completeCount = first === -1 || today < 0 ? 0 : Math.max(0, today - first)
  if (completeCount < billingBounds.forecastAfterDays) {
    return tooEarly(month, first === -1 ? Math.max(0, today) : first)
  }
  const hours = [...hoursOfDays(month).values()]
  const from = Math.max(first, today - levelDays)
  const saved = savedOf(of.savings ?? [], days[from]?.fromMs ?? nowMs, days[today]?.fromMs ?? nowMs)
  const levelOf = (all: readonly Decimal[]) => {
    const values = all.slice(from, today).map(approximately)
    return Math.max(0, (24 * add(values)) / add(hours.slice(from, today)) - saved.perDay)
  }
  const level = levelOf(amounts)
  // Values of a day of 24 hours.
  const recent = amounts
    .slice(from, today)
    .map((value, index) => (24 * approximately(value)) / (hours[from + index] ?? 24))
  const variance = add(recent.map((value) => (value - level) ** 2)) / (recent.length - 1)
  const prices = of.repriced.map(({ amounts: all, ...price }) => ({ ...price, level: levelOf(all) }))
  const soFar = approximately(sumOf(amounts))
  /** What a time to come costs: each part of it at the level of its prices. */
  const costUntil = (endMs: number) => {
    if (prices.length === 0) return (level * (endMs - nowMs)) / dayMs
    const bounds = prices.map(({ fromMs }) => Math.min(endMs, Math.max(nowMs, fromMs)))
    return add(
      prices.map(
        (price, index) => (price.level * ((bounds[index + 1] ?? endMs) - (bounds[index] ?? endMs))) / dayMs,
      ),
    )
  }
  const at = (index: number) => {
    // What of today is metered already is in the sum; the rest of it is part of what is to come.
    const endMs = days[index + 1]?.fromMs ?? toMs
    const left = (endMs - nowMs) / dayMs
    const amount = soFar + costUntil(endMs)
    const spread = deviations * Math.sqrt(variance * (left + left ** 2 / recent.length))
    const low = Math.max(soFar, amount - spread)
    return { amount: text(amount), low: text(Math.min(low, amount)), high: text(amount + spread) }
  }
  const coming = days.slice(today).map(({ date }, index) => ({ date, ...at(today + index) }))
  const todayAmount = approximately(amounts[today] ?? 0n)
  const mean = `the mean of its last ${recent.length} complete days (${level.toFixed(2)} a day; today so far ${todayAmount.toFixed(2)})`
  return {
    state: 'ready',
    ...at(days.length - 1),
    days: coming,
    savings: saved.steps.map(({ atMs, text: what }) => ({
      date: days.findLast((day) => day.fromMs <= atMs)?.date ?? days[0]?.date ?? '',
      text: what,
    })),
    withoutSavings:
      saved.steps.length === 0
        ? null
        : withoutSavings(forecastOf(month, amounts, nowMs, { ...of, savings: [] })),
    method: `What is metered, and for the rest of ${monthName(month.month)} ${mean}${pricesText(month, prices, level)}${savingsText(saved)}. Four of five such forecasts end within the interval.`,
  }
}

const dayMs = 24 * 3_600_000

type Saved = { perDay: number; steps: readonly SavingStep[] }

/** How much less a day costs than the mean of a time says, because of savings that were applied in it or after it. */
function savedOf(all: readonly SavingStep[], fromMs: number, toMs: number): Saved {
  const steps = all.filter(({ atMs }) => atMs > fromMs)
  const parts = steps.map(
    ({ atMs, perDay }) => (perDay * (Math.min(atMs, toMs) - fromMs)) / Math.max(1, toMs - fromMs),
  )
  return { perDay: add(parts), steps }
}

const withoutSavings = (forecast: Forecast) => (forecast.state === 'ready' ? forecast.amount : null)

/** `, less 4.80 a day of 1 applied saving`. */
function savingsText({ perDay, steps }: Saved): string {
  if (steps.length === 0) return ''
  const count = steps.length === 1 ? '1 applied saving' : `${steps.length} applied savings`
  return `, which takes into account that ${count} lowered it by ${perDay.toFixed(2)}`
}

/** Of a thing that begins in the month, and where the metering does, the first day is a part of one. */
function firstCompleteDay(
  { days }: Month,
  amounts: readonly Decimal[],
  meteredFromMs: number | null,
): number {
  const first = amounts.findIndex((amount) => amount !== 0n)
  if (first === -1) return -1
  const isWhole = first === 0 && (meteredFromMs ?? 0) <= (days[0]?.fromMs ?? 0)
  return isWhole ? 0 : first + 1
}

function tooEarly({ month, days }: Month, first: number): Forecast {
  const from = days[first + billingBounds.forecastAfterDays]?.date
  if (from === undefined) {
    const text = `Too little of ${monthName(month)} is metered to forecast it.`
    return { state: 'too_early', from: days.at(-1)?.date ?? `${month}-28`, text }
  }
  return {
    state: 'too_early',
    from,
    text: `A forecast needs ${billingBounds.forecastAfterDays} complete days: from ${Number(from.slice(8))} ${monthName(month)}.`,
  }
}

/** `; at the prices of version 8 from 25 November on, 14.20 a day`. */
function pricesText(
  { days, month }: Month,
  prices: readonly { version: number; fromMs: number; level: number }[],
  level: number,
): string {
  return prices
    .filter((price) => Math.abs(price.level - level) > 0.005)
    .map(({ version, fromMs, level: newLevel }) => {
      const day = days.findLast((each) => each.fromMs <= fromMs)?.date ?? ''
      return `; at the prices of version ${version}, which hold from ${Number(day.slice(8))} ${monthName(month)} on, ${newLevel.toFixed(2)} a day`
    })
    .join('')
}

const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const text = (value: number) => decimalText(estimated(value))
