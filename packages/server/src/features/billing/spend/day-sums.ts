import { type Decimal, decimalOf } from '../decimal.ts'
import type { SumRow } from './sums.ts'

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
