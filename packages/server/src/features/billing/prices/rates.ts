import type { MeterPrice } from '@bey/contract'
import { type Decimal, decimalOf, decimalText, dividedBy, times } from '../../../platform/decimal.ts'

/** Quantities of a month that have the same price: of a meter and kind of node, in the time of one version. */
export type PricedQuantity = {
  /** Index of the time span; spans follow one another. */
  span: number
  meter: string
  provider: string | null
  region: string | null
  nodeType: string | null
  value: Decimal
}

/** A price of one quantity, as decimal text with 18 digits. */
export type Rate = Omit<PricedQuantity, 'value'> & { rate: string }

type Combination = Omit<PricedQuantity, 'span' | 'value'>

/**
 * The price that fits best: what names the type of node wins over what names the region, and that over the provider.
 * Undefined where no price fits; such usage costs nothing.
 */
export function priceOf(prices: readonly MeterPrice[], of: Combination): MeterPrice | undefined {
  const fits = (wanted: string | null, actual: string | null) => wanted === null || wanted === actual
  return prices
    .filter(
      (price) =>
        price.meter === of.meter &&
        fits(price.provider, of.provider) &&
        fits(price.region, of.region) &&
        fits(price.nodeType, of.nodeType),
    )
    .toSorted((a, b) => weight(b) - weight(a))[0]
}

const weight = ({ provider, region, nodeType }: MeterPrice) =>
  (nodeType === null ? 0 : 4) + (region === null ? 0 : 2) + (provider === null ? 0 : 1)

/**
 * The price of one quantity in each span. Tiers count the quantities of the whole month: where a price changes in the
 * middle of it, the later one begins in the tier that the month has reached.
 */
export function ratesOf(
  quantities: readonly PricedQuantity[],
  pricesOfSpan: readonly (readonly MeterPrice[])[],
): Rate[] {
  const rates: Rate[] = []
  pricesOfSpan.forEach((prices, span) => {
    const groups = Map.groupBy(
      quantities.filter((each) => each.span === span),
      (each) => priceOf(prices, each),
    )
    for (const [price, members] of groups) {
      const used = sum(members)
      const isSamePrice = (each: PricedQuantity) => each.span < span && priceOf(prices, each) === price
      const before = sum(quantities.filter(isSamePrice))
      const rate = price === undefined ? 0n : rateOf(price, before, used)
      for (const { value: _none, ...of } of members) rates.push({ ...of, rate: decimalText(rate, 18) })
    }
  })
  return rates
}

/** The price of one quantity on average, of those from `before` to `before + used`. */
function rateOf(price: MeterPrice, before: Decimal, used: Decimal): Decimal {
  const per = decimalOf(String(price.per))
  const [only] = price.tiers
  if (only !== undefined && price.tiers.length === 1) return dividedBy(decimalOf(only.price), per)
  const one = decimalOf('1')
  const step = used === 0n ? one : used
  return dividedBy(dividedBy(costOf(price, before + step) - costOf(price, before), step), per)
}

function costOf({ tiers }: MeterPrice, quantity: Decimal): Decimal {
  let cost = 0n
  let from = 0n
  for (const { upTo, price } of tiers) {
    const to = upTo === null || decimalOf(upTo) > quantity ? quantity : decimalOf(upTo)
    // A month whose corrections outweigh its usage is paid back at the price of the first tier.
    if (to > from || from === 0n) cost += times(to - from, decimalOf(price))
    if (to === quantity) break
    from = to
  }
  return cost
}

const sum = (all: readonly PricedQuantity[]) => all.reduce((total, { value }) => total + value, 0n)
