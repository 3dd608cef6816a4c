import type { Db } from '../../../platform/db/database.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import { monthOfInstant } from '../../../platform/usage/months.ts'
import { type Decimal, decimalOf, sumOf } from '../../../platform/decimal.ts'
import { begunDays, byDay } from '../spend/day-sums.ts'
import type { Filters } from '../spend/dimensions.ts'
import { type Forecast, forecastOfBooks, type SavingStep } from '../spend/forecast.ts'
import { type MonthOfBooks, openMonth } from '../spend/read-month.ts'
import type { BudgetRow } from './store.ts'

/** The current month of the books, of which each budget asks its part. */
export type CurrentMonth = { name: string; books: MonthOfBooks; nowMs: number }

export type Measured = {
  spent: Decimal
  /** By day, those that have begun. */
  days: { date: string; amount: Decimal }[]
  forecast: Forecast
}

export async function openCurrentMonth(db: Db, organizationId: number, now: Date): Promise<CurrentMonth> {
  const books = await readBooks(db, organizationId)
  const name = monthOfInstant(now.getTime(), books.timeZone)
  return { name, books: await openMonth(db, organizationId, name, books), nowMs: now.getTime() }
}

/** What a budget is for has cost in this month; undefined where the prices are in another currency. */
export async function measureBudget(
  { books, nowMs }: CurrentMonth,
  { scopeBy, scopeKey, currency }: Pick<BudgetRow, 'scopeBy' | 'scopeKey' | 'currency'>,
  planned: readonly SavingStep[] = [],
): Promise<Measured | undefined> {
  if (currency !== books.currency) return undefined
  // The contract has checked that the key fits the dimension.
  const filters = (scopeBy === 'all' ? {} : { [scopeBy]: scopeKey }) as Filters
  const { rows } = await books.sums('service', filters, 10)
  const dates = begunDays(books.month, rows, nowMs)
  const amounts = byDay(rows, dates)
  return {
    spent: sumOf(amounts),
    days: dates.map((date, index) => ({ date, amount: amounts[index] ?? 0n })),
    forecast: await forecastOfBooks(books, filters, amounts, nowMs, planned),
  }
}

/** The first day at whose end the sum is at least `amount`, and whether it is past; undefined where the month ends before. */
export function dayOfAmount(
  { days, forecast }: Measured,
  amount: Decimal,
): { date: string; isReached: boolean } | undefined {
  let sum = 0n
  for (const day of days) {
    sum += day.amount
    if (sum >= amount) return { date: day.date, isReached: true }
  }
  if (forecast.state !== 'ready') return undefined
  const coming = forecast.days.find((day) => decimalOf(day.amount) >= amount)
  return coming && { date: coming.date, isReached: false }
}
