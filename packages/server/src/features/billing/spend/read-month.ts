import type { Db } from '../../../platform/db/database.ts'
import type { Books } from '../../../platform/usage/books.ts'
import { type Month, monthOf } from '../../../platform/usage/months.ts'
import type { Rate } from '../prices/rates.ts'
import type { Filters } from './dimensions.ts'
import type { LinesOf } from './lines.ts'
import { readRates } from './lines.ts'
import { priceSpans } from './spans.ts'
import { readSums } from './sums.ts'

/** A month of the books with its prices, of which sums are asked. */
export type MonthOfBooks = LinesOf & { rates: readonly Rate[]; currency: string; sums: AskSums }

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
  return {
    ...of,
    rates,
    currency: spans[0]?.currency ?? '',
    sums: (by, filters, limit, keys) =>
      readSums(db, { ...of, by, filters, rule: sharedCost, limit, ...(keys && { keys }) }, rates),
  }
}
