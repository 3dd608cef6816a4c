import { type Decimal, decimalOf } from '../../../platform/decimal.ts'
import type { Month } from '../../../platform/usage/months.ts'
import type { SumRow } from './sums.ts'

/**
 * Days of a month that have begun. Where the clock was set back, days with usage that lie ahead of it are among them, so
 * that the sum of the days is the sum of the rows.
 */
export function begunDays({ days }: Pick<Month, 'days'>, rows: readonly SumRow[], nowMs: number): string[] {
  const last = rows.reduce((latest, { day }) => (day > latest ? day : latest), '')
  return days.filter(({ date, fromMs }) => fromMs <= nowMs || date <= last).map(({ date }) => date)
}

/** Amounts by day, in the order of `days`; rows of other days do not count. */
export function byDay(rows: readonly SumRow[], days: readonly string[]): Decimal[] {
  const sums = new Map<string, Decimal>()
  for (const { day, amount } of rows) sums.set(day, (sums.get(day) ?? 0n) + decimalOf(amount))
  return days.map((day) => sums.get(day) ?? 0n)
}

export const amountOf = (rows: readonly SumRow[]): Decimal =>
  rows.reduce((sum, { amount }) => sum + decimalOf(amount), 0n)

export const valueOf = (rows: readonly SumRow[]): Decimal =>
  rows.reduce((sum, { value }) => sum + decimalOf(value), 0n)
