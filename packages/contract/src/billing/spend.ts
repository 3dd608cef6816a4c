import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { decimal } from './prices.ts'
import { actor, timestamp } from '../base/schema.ts'
import { billingBounds, sharedCostRules, usageMeterNames, usageServices } from './usage-meters.ts'

/** A month of the organization's time zone. */
const monthText = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Send a month like 2026-11.')
  .optional()
const date = z.iso.date()
const name = z.string().trim().min(1).max(300).optional()
const keyValue = z
  .string()
  .trim()
  .regex(/^[^:]{1,128}:[\s\S]{0,128}$/, 'Send a label as key:value.')
  .optional()

/** What spend is limited to: every name that is given has to match. */
const filters = {
  service: z.enum(usageServices).optional(),
  meter: z.enum(usageMeterNames).optional(),
  /** Id of the cluster; `none`: what belongs to no cluster. The same holds for the others. */
  cluster: name,
  namespace: name,
  /** `namespace/Kind/name`. */
  workload: name,
  /** Id of the resource, such as of a database, workflow or secret. */
  resource: name,
  /** Id of the user. */
  owner: name,
  person: name,
  /** `key:value`. */
  label: keyValue,
}

const quantity = z.object({ meter: z.enum(usageMeterNames), unit: z.string(), value: decimal })

const row = z
  .object({
    /** As the filter of the dimension takes it; `none` where the usage has none; `idle` is the shared cost. */
    key: z.string(),
    name: z.string(),
    /** What else tells it apart, such as the cluster of a namespace. */
    detail: z.string().nullable(),
    amount: decimal,
    /** Of the total, 0 to 100. */
    percent: z.number(),
    quantities: z.array(quantity).max(usageMeterNames.length),
    /** In the order of `clusters`; what belongs to none of them is in `amount` alone. */
    byCluster: z.array(decimal).max(billingBounds.maxRows),
    /** In the order of `days`. */
    byDay: z.array(decimal).max(31),
    lastMonth: decimal,
    /** Idle nodes and kube-system, where the rule keeps them apart. */
    isShared: z.boolean(),
  })
  .meta({ id: 'SpendRow' })
export type SpendRow = z.infer<typeof row>

const cause = z.object({
  key: z.string(),
  name: z.string(),
  /** The quantity that moved: `3.0 to 9.0 nodes`; null where prices moved. */
  text: z.string().nullable(),
  amount: decimal,
  /** The act of the audit trail that fits it, where there is one. */
  act: z.object({ at: timestamp, by: actor, text: z.string() }).nullable(),
})
export type SpendCause = z.infer<typeof cause>

const anomaly = z.object({
  date,
  amount: decimal,
  /** Median of the working days, or of the days of weekends, in the four weeks before. */
  usual: decimal,
  percent: z.number(),
  /** `24 November cost 38 % more than usual, because staging grew from 3.0 to 9.0 nodes.` */
  text: z.string(),
  causes: z.array(cause).max(5),
})

const forecast = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('ready'),
    amount: decimal,
    /** Four of five months end between these. */
    low: decimal,
    high: decimal,
    /** Sums from the beginning of the month to the end of each day to come. */
    days: z.array(z.object({ date, amount: decimal, low: decimal, high: decimal })).max(31),
    /** How it is computed, as a sentence. */
    method: z.string(),
    /** Applied savings that it takes into account before a week of measurements shows them, and the forecast without them. */
    savings: z.array(z.object({ date, text: z.string() })).max(20),
    withoutSavings: decimal.nullable(),
  }),
  z.object({ state: z.literal('too_early'), from: date, text: z.string() }),
  /** The month is over. */
  z.object({ state: z.literal('over') }),
])

const gap = z.object({
  from: timestamp,
  to: timestamp,
  name: z.string(),
  /** `No samples of prod-us from 04:10 to 04:31: this time is not metered.` */
  text: z.string(),
})

const spend = z
  .object({
    asOf: timestamp,
    timeZone: z.string(),
    currency: z.string(),
    month: z.object({
      month: z.string(),
      from: timestamp,
      to: timestamp,
      isCurrent: z.boolean(),
    }),
    by: z.string(),
    /** `own`: only what belongs to the caller, and `scopeText` says so. */
    scope: z.enum(['all', 'own']),
    scopeText: z.string().nullable(),
    total: decimal,
    /** Of the whole month before, and of it up to the same day and hour. */
    lastMonth: z.object({ month: z.string(), total: decimal, totalUntilNow: decimal }),
    /** Every day of the month that has begun. */
    days: z.array(z.object({ date, amount: decimal })).max(31),
    lastMonthDays: z.array(z.object({ date, amount: decimal })).max(31),
    /** Those that cost most, for the columns of the table. */
    clusters: z.array(z.object({ key: z.string(), name: z.string(), amount: decimal })).max(8),
    rows: z.array(row).max(billingBounds.maxRows),
    /** What the rows leave out, added up. */
    rest: z.object({ count: z.number().int(), amount: decimal, byDay: z.array(decimal).max(31) }).nullable(),
    forecast,
    why: z.object({
      from: decimal,
      /** The forecast, or the total where there is none: then the same part of both months is compared. */
      to: decimal,
      basis: z.enum(['forecast', 'whole_month', 'until_now']),
      /** `October is metered from 20 October on.`; null where the month before was metered as a whole. */
      note: z.string().nullable(),
      causes: z.array(cause).max(8),
      restCount: z.number().int(),
      restAmount: decimal,
    }),
    anomalies: z.array(anomaly).max(10),
    gaps: z.array(gap).max(50),
    prices: z.object({ versions: z.array(z.number().int()).max(50), isExample: z.boolean() }),
    sharedCost: z.object({ rule: z.enum(sharedCostRules), text: z.string() }),
    eventCount: z.number().int(),
    lastEventAt: timestamp.nullable(),
    /** The newest daily comparison of the month with its ledger; null before the first, and for who sees a part only. */
    proof: z.object({ provedAt: timestamp, isEqual: z.boolean(), text: z.string() }).nullable(),
    /** Whether seeded usage is among it. */
    isSeeded: z.boolean(),
  })
  .meta({ id: 'Spend' })
export type Spend = z.infer<typeof spend>

const ledgerEvent = z
  .object({
    seq: z.string(),
    source: z.string(),
    id: z.string(),
    meter: z.enum(usageMeterNames),
    service: z.enum(usageServices),
    value: decimal,
    unit: z.string(),
    /** When it was used, and when it was written down. */
    at: timestamp,
    recordedAt: timestamp,
    cluster: z.string().nullable(),
    namespace: z.string().nullable(),
    workload: z.string().nullable(),
    resource: z.string().nullable(),
    nodeType: z.string().nullable(),
    owner: z.string().nullable(),
    person: z.string().nullable(),
    labels: z.record(z.string(), z.string()),
    isSeeded: z.boolean(),
  })
  .meta({ id: 'LedgerEvent' })
export type LedgerEvent = z.infer<typeof ledgerEvent>

const settings = z.object({
  sharedCost: z.enum(sharedCostRules),
  /** Days and months of the books; that of the organization. */
  timeZone: z.string(),
})

const path = '/api/billing'

export const spendEndpoints = {
  'billing.spend': endpoint({
    method: 'GET',
    path: `${path}/spend`,
    summary: 'Estimated spend of a month by a dimension, with its forecast and why it differs',
    access: 'billing.read',
    query: z.object({
      month: monthText,
      /** A dimension, or `label:<key>`. */
      by: z
        .string()
        .regex(
          /^(service|meter|cluster|namespace|workload|resource|owner|person|label:[^\s:]{1,128})$/,
          'Send service, meter, cluster, namespace, workload, resource, owner, person or label:<key>.',
        )
        .default('service'),
      ...filters,
      limit: z.coerce.number().int().min(1).max(billingBounds.maxRows).default(50),
    }),
    response: spend,
  }),
  'billing.labels': endpoint({
    method: 'GET',
    path: `${path}/labels`,
    summary: 'Keys of labels by which the spend of a month can be added up',
    access: 'billing.read',
    query: z.object({ month: monthText }),
    response: z.object({
      keys: z.array(z.object({ key: z.string(), valueCount: z.number().int() })).max(100),
    }),
  }),
  'billing.ledger': endpoint({
    method: 'GET',
    path: `${path}/ledger`,
    summary: 'Events of the usage ledger, the newest first',
    access: 'billing.read',
    query: z.object({
      month: monthText,
      /** A day of the month. */
      day: date.optional(),
      ...filters,
      /** `nextCursor` of the reply before. */
      cursor: z
        .string()
        .regex(/^\d{1,16}-\d{1,19}$/, 'Send the cursor of a reply.')
        .optional(),
      limit: z.coerce.number().int().min(1).max(200).default(100),
    }),
    response: z.object({ events: z.array(ledgerEvent).max(200), nextCursor: z.string().nullable() }),
  }),
  'billing.proof': endpoint({
    method: 'GET',
    path: `${path}/proof`,
    summary: 'Whether the sums of the ledger equal its events',
    access: 'billing.readAll',
    query: z.object({ month: monthText }),
    response: z.object({
      isEqual: z.boolean(),
      text: z.string(),
      eventCount: z.number().int(),
      /** Sums of a meter that differ, up to 20. */
      differences: z
        .array(z.object({ meter: z.enum(usageMeterNames), events: decimal, hours: decimal, days: decimal }))
        .max(20),
    }),
  }),
  'billing.settings': endpoint({
    method: 'GET',
    path: `${path}/settings`,
    summary: 'How shared cost is split, and in which time zone months begin',
    access: 'billing.read',
    response: settings,
  }),
  'billing.updateSettings': endpoint({
    method: 'PATCH',
    path: `${path}/settings`,
    summary: 'Change how shared cost is split',
    access: 'billing.manage',
    keys: 'none',
    body: z.strictObject({ sharedCost: z.enum(sharedCostRules) }),
    response: settings,
    replyOf: 'billing.settings',
    outdates: [path],
  }),
} as const
