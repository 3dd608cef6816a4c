import type { Db } from '../../../platform/db/database.ts'
import type { Books } from '../../../platform/usage/books.ts'
import { type Month, monthOf } from '../../../platform/usage/months.ts'
import type { Rate } from '../prices/rates.ts'
import type { Filters } from './dimensions.ts'
import { type LinesOf, type PriceSpan, readRates } from './lines.ts'
import { priceSpans } from './spans.ts'
import { savingSteps } from '../savings/forecast-effect.ts'
import type { SavingStep } from './forecast.ts'
import { readSums, type SumRow } from './sums.ts'
import { readFirstEventMs } from '../ledger/store.ts'

/** A month of the books with its prices, of which sums are asked. */
export type MonthOfBooks = LinesOf & {
  rates: readonly Rate[]
  currency: string
  /** When the first event of the organization was; null while there is none. */
  meteredFromMs: number | null
  sums: AskSums
  /** The same at the prices of one span alone: what the month would cost by them. */
  sumsAtPrices: (span: PriceSpan, filters: Filters) => Promise<SumRow[]>
  /** Applied savings that lower what matches the filters. */
  savings: (filters: Filters, nowMs: number) => Promise<SavingStep[]>
}

type AskSums = (
  by: string,
  filters: Filters,
  limit: number,
  keys?: readonly (string | null)[],
) => ReturnType<typeof readSums>

/** Opens a month for reading. Its currency is that of its versions, which cannot differ within a month. */
export async function openMonth(
  db: Db,
  organizationId: number,
  name: string,
  { timeZone, sharedCost }: Books,
): Promise<MonthOfBooks> {
  const month: Month = monthOf(name, timeZone)
  const spans = await priceSpans(db, organizationId, month)
  const of = { organizationId, month, timeZone, spans }
  const rates = await readRates(db, of)
  const currency = spans[0]?.currency ?? ''
  return {
    ...of,
    rates,
    currency,
    savings: (filters, nowMs) => savingSteps(db, organizationId, filters, { currency, nowMs }),
    meteredFromMs: await readFirstEventMs(db, organizationId),
    sums: (by, filters, limit, keys) =>
      readSums(db, { ...of, by, filters, rule: sharedCost, limit, ...(keys && { keys }) }, rates),
    sumsAtPrices: async (span, filters) => {
      const alone = { ...of, spans: [{ ...span, fromMs: month.fromMs }] }
      const asked = { ...alone, by: 'service', filters, rule: sharedCost, limit: 50 }
      return (await readSums(db, asked, await readRates(db, alone))).rows
    },
  }
}
