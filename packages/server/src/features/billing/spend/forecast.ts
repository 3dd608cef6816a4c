import type { Spend } from '@bey/contract'
import { billingBounds } from '@bey/contract/usage-meters'

import type { Month } from '../../../platform/usage/months.ts'
import { monthName } from '../../../platform/usage/months.ts'
import { approximately, type Decimal, decimalText, estimated, sumOf } from '../decimal.ts'

type Forecast = Spend['forecast']

/** Days from which the level of the days to come is taken: a week, so that weekends weigh as they do. */
const levelDays = 7
/** Four of five values of a normal distribution lie within so many standard deviations. */
const deviations = 1.2816

/**
 * What a month will cost: what it has cost, and for the rest of it the mean of its last 7 complete days. The interval
 * grows with the square root of the days to come, and with the uncertainty of the mean itself.
 */
export function forecastOf(
  { month, days, toMs }: Month,
  amounts: readonly Decimal[],
  nowMs: number,
): Forecast {
  if (nowMs >= toMs) return { state: 'over' }
  const today = days.findLastIndex(({ fromMs }) => fromMs <= nowMs)
  const first = amounts.findIndex((amount) => amount !== 0n)
  const complete = first === -1 || today < 0 ? [] : amounts.slice(first, today)
  if (complete.length < billingBounds.forecastAfterDays) {
    const begin = first === -1 ? Math.max(0, today) : first
    const from = days[begin + billingBounds.forecastAfterDays]?.date
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
  const recent = complete.slice(-levelDays).map(approximately)
  const level = recent.reduce((sum, value) => sum + value, 0) / recent.length
  const variance = recent.reduce((sum, value) => sum + (value - level) ** 2, 0) / (recent.length - 1)
  const soFar = sumOf(amounts)
  const todayAmount = approximately(amounts[today] ?? 0n)
  const todayFrom = days[today]?.fromMs ?? nowMs
  const todayTo = days[today + 1]?.fromMs ?? toMs
  const leftOfToday = (todayTo - nowMs) / (todayTo - todayFrom)
  const at = (index: number) => {
    const left = index - today + leftOfToday
    // What of today is metered already is in the sum; the rest of it is part of what is to come.
    const amount = approximately(soFar) + level * left
    const spread = deviations * Math.sqrt(variance * (left + left ** 2 / recent.length))
    const low = Math.max(approximately(soFar), amount - spread)
    return { amount: text(amount), low: text(Math.min(low, amount)), high: text(amount + spread) }
  }
  const coming = days.slice(today).map(({ date }, index) => ({ date, ...at(today + index) }))
  const end = at(days.length - 1)
  return {
    state: 'ready',
    ...end,
    days: coming,
    method: `What is metered, and for the rest of ${monthName(month)} the mean of its last ${recent.length} complete days (${level.toFixed(2)} a day; today so far ${todayAmount.toFixed(2)}). Four of five such forecasts end within the interval.`,
  }
}

const text = (value: number) => decimalText(estimated(value))
