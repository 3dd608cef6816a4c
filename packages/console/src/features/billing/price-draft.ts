import type { MeterPrice } from '../../data/billing.ts'

/** A price as it is edited: with one tier as text; several tiers stay as they are. */
export type DraftPrice = { price: MeterPrice; text: string }

const pattern = /^\d{1,12}(\.\d{1,12})?$/

export const draftOf = (prices: readonly MeterPrice[]): DraftPrice[] =>
  prices.map((price) => ({ price, text: price.tiers[0]?.price ?? '0' }))

export const keyOf = ({
  meter,
  provider,
  region,
  nodeType,
}: Pick<MeterPrice, 'meter' | 'provider' | 'region' | 'nodeType'>) =>
  JSON.stringify([meter, provider, region, nodeType])

export const isTiered = ({ tiers }: MeterPrice) => tiers.length > 1

export const isValid = ({ price, text }: DraftPrice) => isTiered(price) || pattern.test(text)

/** What is sent; undefined while a price is no number. */
export function pricesOf(draft: readonly DraftPrice[]): MeterPrice[] | undefined {
  if (!draft.every(isValid)) return undefined
  return draft.map(({ price, text }) =>
    isTiered(price) ? price : { ...price, tiers: [{ upTo: null, price: text }] },
  )
}

/** How many prices differ from those that hold. */
export function changedCount(draft: readonly DraftPrice[], current: readonly MeterPrice[]): number {
  const known = new Map(current.map((price) => [keyOf(price), price.tiers[0]?.price]))
  return draft.filter(
    ({ price, text }) =>
      !known.has(keyOf(price)) || (!isTiered(price) && Number(known.get(keyOf(price))) !== Number(text)),
  ).length
}

/** `Node-hour, 16x64 in eu-central-1 of sandbox`. */
export function placeText({
  provider,
  region,
  nodeType,
}: Pick<MeterPrice, 'provider' | 'region' | 'nodeType'>): string {
  const [cores, memory] = nodeType?.split('x') ?? []
  return [
    nodeType && (memory ? `${cores} cores ${memory} GiB` : nodeType),
    region && `in ${region}`,
    provider && `of ${provider}`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The price that usage of a kind takes: what names the type of node wins over the region, and that over the provider. */
export function priceFor(
  draft: readonly DraftPrice[],
  of: Place & { meter: string },
): DraftPrice | undefined {
  const fits = (wanted: string | null, actual: string | null) => wanted === null || wanted === actual
  return draft
    .filter(
      ({ price }) =>
        price.meter === of.meter &&
        fits(price.provider, of.provider) &&
        fits(price.region, of.region) &&
        fits(price.nodeType, of.nodeType),
    )
    .toSorted((a, b) => weightOf(b.price) - weightOf(a.price))[0]
}

type Place = Pick<MeterPrice, 'provider' | 'region' | 'nodeType'>

const weightOf = ({ provider, region, nodeType }: Place) =>
  (nodeType === null ? 0 : 4) + (region === null ? 0 : 2) + (provider === null ? 0 : 1)
