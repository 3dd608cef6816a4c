import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { actor, givenTime, timestamp } from '../base/schema.ts'
import { billingBounds, decimalPattern, pricedMeters } from './usage-meters.ts'

/** An amount of money or a quantity, as decimal text. */
export const decimal = z.string().regex(decimalPattern, 'Send a decimal number as text, like "12.50".')
const notNegative = decimal.refine((text) => !text.startsWith('-'), 'Send a number of 0 or more.')

const of = z.string().trim().min(1).max(100).nullable()

const price = z
  .strictObject({
    meter: z.enum(pricedMeters),
    /** Where the price holds; null: everywhere that no other price of the meter names. */
    provider: of,
    region: of,
    /** Of `node_hours`: `<cores>x<GiB>`, such as `16x64`. */
    nodeType: of,
    /** Quantities that the price is for; a power of ten. */
    per: z.union([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000].map((each) => z.literal(each))),
    /** Prices in the order of their limits; each holds for the quantities of a month up to its limit, the last beyond. */
    tiers: z
      .array(z.strictObject({ upTo: notNegative.nullable(), price: notNegative }))
      .min(1, 'Enter a price.')
      .max(billingBounds.maxTiers)
      .refine(
        (tiers) =>
          tiers.every(({ upTo }, index) => {
            const before = index === 0 ? 0 : Number(tiers[index - 1]?.upTo)
            return (
              (upTo === null) === (index === tiers.length - 1) && (upTo === null || Number(upTo) > before)
            )
          }),
        'The limits of tiers rise, and the last tier has none.',
      ),
  })
  .meta({ id: 'MeterPrice' })
export type MeterPrice = z.infer<typeof price>

const list = {
  /** ISO 4217. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'Send a currency of three letters, like EUR.'),
  prices: z
    .array(price)
    .max(billingBounds.maxPrices)
    .refine(
      (prices) =>
        new Set(
          prices.map(({ meter, provider, region, nodeType }) =>
            JSON.stringify([meter, provider, region, nodeType]),
          ),
        ).size === prices.length,
      'Two prices are for the same meter, provider, region and type of node. Remove one of them.',
    ),
}

const version = z
  .object({
    /** 0 is the example, which holds until somebody saves prices. */
    version: z.number().int(),
    ...list,
    /** The full hour from which it holds; null for the example. */
    holdsFrom: timestamp.nullable(),
    /** When the next version takes over; null while none does. */
    holdsUntil: timestamp.nullable(),
    isExample: z.boolean(),
    holdsNow: z.boolean(),
    note: z.string(),
    createdBy: actor.nullable(),
    createdAt: timestamp.nullable(),
  })
  .meta({ id: 'PriceVersion' })
export type PriceVersion = z.infer<typeof version>

const path = '/api/billing/prices'

export const priceEndpoints = {
  'prices.list': endpoint({
    method: 'GET',
    path,
    summary: 'Versions of the price list, the newest first, the example last',
    access: 'billing.read',
    response: z.object({
      versions: z.array(version).max(billingBounds.maxVersions + 1),
      /** Of the version that holds now. */
      currency: z.string(),
      timeZone: z.string(),
      /** Why the caller cannot save prices, with those who can; null where they can. */
      deniedText: z.string().nullable(),
      /** Kinds of nodes that were metered in this month and the one before, for prices of their own. */
      nodeTypes: z
        .array(
          z.object({
            provider: z.string().nullable(),
            region: z.string().nullable(),
            nodeType: z.string().nullable(),
          }),
        )
        .max(200),
    }),
  }),
  'prices.create': endpoint({
    method: 'POST',
    path,
    summary: 'Save a version of the price list that holds from an hour on',
    access: 'billing.manage',
    body: z.strictObject({
      ...list,
      /** A full hour that has not begun, and later than every other version; the next full hour by default. */
      holdsFrom: givenTime.optional(),
      note: z.string().trim().max(billingBounds.maxNote).default(''),
    }),
    response: version,
    status: 201,
    isIdempotent: true,
    keys: 'none',
    outdates: ['/api/billing'],
    errors: ['conflict', 'limit_reached'],
  }),
  'prices.preview': endpoint({
    method: 'POST',
    path: `${path}/preview`,
    summary: 'What this month would cost under a draft and under each version',
    access: 'billing.readAll',
    withoutIdempotencyKey: 'It stores nothing.',
    body: z.strictObject(list),
    response: z.object({
      /** Of the draft. */
      currency: z.string(),
      month: z.string(),
      /** `With these prices November would cost about 157.00 EUR less.` */
      text: z.string(),
      /** Whether the amounts are of a forecast month; else of the month so far. */
      isForecast: z.boolean(),
      meters: z
        .array(
          z.object({
            meter: z.enum(pricedMeters),
            provider: z.string().nullable(),
            region: z.string().nullable(),
            nodeType: z.string().nullable(),
            /** Metered in this month so far. */
            quantity: decimal,
            unit: z.string(),
            current: decimal,
            draft: decimal,
            /** Draft less current; null where the currencies differ. */
            change: decimal.nullable(),
            /** Whom it costs most more or less: namespaces for nodes, otherwise resources. */
            felt: z.array(z.object({ name: z.string(), change: decimal })).max(5),
          }),
        )
        .max(1_000),
      versions: z
        .array(
          z.object({
            /** Null for the draft. */
            version: z.number().int().nullable(),
            currency: z.string(),
            isExample: z.boolean(),
            holdsFrom: timestamp.nullable(),
            amount: decimal,
          }),
        )
        .max(12),
    }),
  }),
} as const
