import type { Db } from '../../../platform/db/database.ts'
import type { Month } from '../../../platform/usage/months.ts'
import { examplePrices } from '../prices/example.ts'
import { versionsBetween } from '../prices/store.ts'
import type { PriceSpan } from './lines.ts'

/** The versions of prices that hold in a month, each from its hour on; the example (version 0) before the first. */
export async function priceSpans(
  db: Db,
  organizationId: number,
  { fromMs, toMs }: Month,
): Promise<PriceSpan[]> {
  const versions = await versionsBetween(db, organizationId, fromMs, toMs)
  const spans = versions.map(({ holdsFrom, ...version }) => ({
    ...version,
    fromMs: Math.max(fromMs, holdsFrom.getTime()),
  }))
  if (spans[0]?.fromMs === fromMs) return spans
  // Whoever saves the first prices in the middle of a month says the currency of all of it.
  const currency = spans[0]?.currency ?? examplePrices.currency
  return [{ version: 0, currency, prices: examplePrices.prices, fromMs }, ...spans]
}
