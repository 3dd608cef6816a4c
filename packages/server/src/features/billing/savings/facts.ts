import type { Saving } from '@bey/contract'
import { billingBounds } from '@bey/contract/billing/usage-meters'

import type { Member } from '../../../platform/act.ts'
import {
  type Decimal,
  decimalOf,
  decimalText,
  dividedBy,
  estimated,
  times,
} from '../../../platform/decimal.ts'
import type { Tagged } from '../meters/tags.ts'
import { priceOf } from '../prices/rates.ts'
import type { MonthOfBooks } from '../spend/read-month.ts'

export const hourMs = 3_600_000
/** Hours of a month of 365.25 / 12 days, by which amounts a month are told. */
export const hoursOfMonth = 730.5

/** What savings are found from. */
export type SavingFacts = {
  caller: Pick<Member, 'organizationId' | 'role' | 'user'>
  /** Only what belongs to the caller. */
  isOwnOnly: boolean
  tagsOf: (...ids: readonly string[]) => Tagged
  month: MonthOfBooks
  fromMs: number
  toMs: number
}

/** What was found, and what could not be judged and why. */
export type Found = { savings: FoundSaving[]; notJudged: string[] }

/** A saving, and how its change is made; null where a person makes it. */
export type FoundSaving = Saving & { plan: SavingPlan | null }

export type SavingPlan =
  | { kind: 'node'; node: string; text: string }
  | {
      kind: 'patch'
      path: string
      patch: Record<string, unknown>
      undo: Record<string, unknown>
      changes: { field: string; before: string; after: string }[]
      text: string
    }

export const isOwn = ({ isOwnOnly, caller }: SavingFacts, { owner }: Tagged) =>
  !isOwnOnly || owner?.id === caller.user.id

/** The price of one quantity at the prices that hold now: of what this month has used on average, else of the first tier. */
export function priceNow(
  { month }: SavingFacts,
  of: { meter: string; provider: string | null; region: string | null; nodeType: string | null },
): Decimal {
  const last = month.spans.length - 1
  const found = month.rates.find(
    (rate) =>
      rate.span === last &&
      rate.meter === of.meter &&
      rate.provider === of.provider &&
      rate.region === of.region &&
      rate.nodeType === of.nodeType,
  )
  if (found) return decimalOf(found.rate)
  const price = priceOf(month.spans[last]?.prices ?? [], of)
  return dividedBy(decimalOf(price?.tiers[0]?.price ?? '0'), decimalOf(String(price?.per ?? 1)))
}

/** A quantity an hour, for a month. */
export const perMonth = (price: Decimal, quantity: number): string =>
  decimalText(times(price, estimated(quantity * hoursOfMonth)), 2)

/** Values that were measured, in their order. */
export const measuredValues = (values: readonly (number | null)[]): number[] =>
  values.filter((value) => value !== null)

/** How long something was measured, or undefined where that is too short to judge. */
export function measuredTime(
  values: readonly (number | null)[],
  fromMs: number,
): Saving['measured'] | undefined {
  const first = values.findIndex((value) => value !== null)
  const last = values.findLastIndex((value) => value !== null)
  const days = measuredValues(values).length / 24
  if (days < billingBounds.savingsMinDays) return undefined
  return {
    from: new Date(fromMs + first * hourMs).toISOString(),
    to: new Date(fromMs + (last + 1) * hourMs).toISOString(),
    days: Math.round(days * 10) / 10,
  }
}

export const daysText = (values: readonly (number | null)[]) =>
  (measuredValues(values).length / 24).toFixed(1)

/** The value that 95 of 100 hours do not pass. */
export function percentile95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0
}

export const maxOf = (values: readonly number[]) => values.reduce((max, value) => Math.max(max, value), 0)
