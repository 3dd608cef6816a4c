import type { MeterPrice } from '@bey/contract'
import type { SharedCostRule } from '@bey/contract/billing/usage-meters'
import { pricedMeters, usageMeterNames, usageMeters } from '@bey/contract/billing/usage-meters'
import { type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import type { Month } from '../../../platform/usage/months.ts'
import { decimalOf } from '../../../platform/decimal.ts'
import { type Rate, ratesOf } from '../prices/rates.ts'

/** A time in which one version of the prices holds, until the next span begins. */
export type PriceSpan = { version: number; currency: string; prices: readonly MeterPrice[]; fromMs: number }

export type LinesOf = {
  organizationId: number
  month: Month
  timeZone: string
  spans: readonly PriceSpan[]
  source?: LineSource
  /** Of the month; all of them where it is left out. */
  onlyDays?: readonly string[]
}

/**
 * From what lines are read: `made`: from the lines of `usage_costs` on days that have them, otherwise from the sums and
 * what waits for them; `ledger`: from the sums and what waits; `sums`: from the sums alone, of which lines are made.
 */
export type LineSource = 'made' | 'ledger' | 'sums'

/** Raised when lines are priced or split in another way: days whose lines were made by earlier rules are made anew. */
export const pricingRules = 1

/** Meters with tiers depend on what the whole month uses, so lines of them are never kept. */
export const tieredMeters = (spans: readonly PriceSpan[]): string[] => [
  ...new Set(
    spans.flatMap(({ prices }) =>
      prices.filter(({ tiers }) => tiers.length > 1).map(({ meter }) => meter as string),
    ),
  ),
]

/** Rates of everything that was metered in a month. */
export async function readRates(db: Db, of: LinesOf): Promise<Rate[]> {
  const tiered = tieredMeters(of.spans)
  const untiered = pricedMeters.filter((meter) => !tiered.includes(meter))
  // Without tiers a price does not depend on how much was used: the kinds of nodes suffice.
  const { rows } = await db.execute<Quantity>(sql`
    select span.n as span, m.meter, k.provider, k.region, k."nodeType", '1' as value
    from generate_series(0, ${of.spans.length - 1}::int) span (n)
    cross join unnest(${sql.param(untiered)}::text[]) m (meter)
    cross join (select distinct provider, region, node_type as "nodeType" from usage_subjects
      where organization_id = ${of.organizationId}) k`)
  const used = tiered.length === 0 ? [] : await readQuantities(db, of, tiered)
  return ratesOf(
    [...rows, ...used].map((row) => ({ ...row, value: decimalOf(row.value) })),
    of.spans.map((span) => span.prices),
  )
}

/** What the month used of some meters, by everything that a price may depend on. */
async function readQuantities(db: Db, of: LinesOf, meters: readonly string[]): Promise<Quantity[]> {
  const { rows } = await db.execute<Quantity>(sql`
    with ${cells(of, { meters, unmade: meters, rule: undefined })}
    select c.span, c.meter, s.provider, s.region, s.node_type as "nodeType", sum(c.value)::text as value
    from cells c join usage_subjects s on s.organization_id = ${of.organizationId} and s.id = c.subject_id
    group by 1, 2, 3, 4, 5`)
  return rows
}

type Quantity = {
  span: number
  meter: string
  provider: string | null
  region: string | null
  nodeType: string | null
  value: string
}

/**
 * Priced lines of a month as common table expressions; the last, `lines`, has the columns day, meter, cluster_id,
 * subject_id (null for shared cost), is_shared, span, value and amount.
 *
 * The rounding rule of all money is here: the quantity of a day, meter, subject and version of prices is multiplied by
 * its rate and rounded to 6 digits once, half away from zero. Every total is the exact sum of lines. With `rule` the
 * cost of the nodes of a cluster and day is split over workloads, so that the parts add up to the cost.
 */
export function pricedLines(of: LinesOf, rates: readonly Rate[], rule: SharedCostRule | undefined): SQL {
  const { organizationId, spans } = of
  const tiered = tieredMeters(spans)
  const splitting = usageMeterNames.filter((name) => !usageMeters[name].isPriced)
  const priced = sql`${cells(of, {
    rule,
    meters: rule === undefined ? pricedMeters : usageMeterNames,
    // On days that have lines, those of meters with tiers are still to be made.
    unmade: [...tiered, ...(rule !== undefined && tiered.includes('node_hours') ? splitting : [])],
  })}, rates as (
      select * from jsonb_to_recordset(${JSON.stringify(rates)}::jsonb)
        r (span int, meter text, provider text, region text, "nodeType" text, rate numeric)
    ), priced as (
      select c.day, c.meter, s.cluster_id, c.subject_id, false as is_shared, c.span, c.value,
        round(c.value * r.rate, 6) as amount
      from cells c join usage_subjects s on s.organization_id = ${organizationId} and s.id = c.subject_id
      join rates r on r.span = c.span and r.meter = c.meter and r.provider is not distinct from s.provider
        and r.region is not distinct from s.region and r."nodeType" is not distinct from s.node_type
    )`
  const kept = sql`select c.day, c.meter, c.cluster_id, c.subject_id, c.subject_id is null as is_shared, v.n as span, c.value,
        c.amount
      from made join usage_costs c on c.organization_id = ${organizationId} and c.day = made.day
      left join spans v on v.version = c.price_version
      where c.part in ('other', ${rule === undefined ? 'nodes' : 'split'}) and c.meter <> all(${sql.param(tiered)}::text[])`
  if (rule === undefined) return sql`${priced}, lines as (select * from priced union all ${kept})`
  return sql`${priced}, ${split(organizationId, rule)}, lines as (
      select * from priced where meter <> 'node_hours' or cluster_id is null
      union all select * from parts where amount <> 0 or value <> 0
      union all ${kept}
    )`
}

/**
 * The sums of a month by day, meter, subject and span of prices: what is added up already, and what waits for it. Days on
 * which prices change are read by the hour. The sums of other days are unique already: only what waits is grouped. Of
 * days whose lines are made (`made`), only the meters `unmade` are among them.
 */
function cells(
  { organizationId, month, timeZone, spans, source = 'made', onlyDays }: LinesOf,
  of: { meters: readonly string[]; unmade: readonly string[]; rule: SharedCostRule | undefined },
): SQL {
  const iso = (ms: number) => new Date(ms).toISOString()
  const starts = spans.slice(1).map(({ fromMs }) => fromMs)
  const all = month.days.map(({ date, fromMs }, index) => {
    const toMs = month.days[index + 1]?.fromMs ?? month.toMs
    const isMixed = starts.some((ms) => ms > fromMs && ms < toMs)
    return { date, fromMs, toMs, isMixed, span: spans.findLastIndex((span) => span.fromMs <= fromMs) }
  })
  const days = onlyDays === undefined ? all : all.filter(({ date }) => onlyDays.includes(date))
  const whole = days.filter(({ isMixed }) => !isMixed)
  const mixed = days.filter(({ isMixed }) => isMixed)
  const names = sql`${sql.param(of.meters)}::text[]`
  const unmade = sql`${sql.param(of.meters.filter((name) => of.unmade.includes(name)))}::text[]`
  const spanOf = (hour: SQL) => sql`(select max(n) from spans where from_at <= ${hour})`
  const dayOf = (hour: SQL) => sql`(${hour} at time zone ${timeZone}::text)::date`
  const pendingHour = sql`date_trunc('hour', p.at, 'UTC')`
  return sql`spans as (
      select * from unnest(${sql.param(spans.map((_none, n) => n))}::int[],
        ${sql.param(spans.map(({ fromMs }) => iso(fromMs)))}::timestamptz[],
        ${sql.param(spans.map(({ version }) => version))}::int[]) spans (n, from_at, version)
    ), waiting as materialized (
      select ${dayOf(pendingHour)} as day, p.meter, p.subject_id, ${pendingHour} as hour, p.value
      from usage_pending p
      where p.organization_id = ${organizationId} and p.at >= ${iso(month.fromMs)}::timestamptz
        and p.at < ${iso(month.toMs)}::timestamptz and ${source !== 'sums'}::boolean
    ), made as materialized (
      select m.day from usage_cost_days m
      where m.organization_id = ${organizationId} and m.day = any(${sql.param(days.map(({ date }) => date))}::date[])
        and m.rules = ${pricingRules} and (${of.rule ?? null}::text is null or m.shared_cost = ${of.rule ?? null}::text)
        and not exists (select from waiting w where w.day = m.day) and ${source === 'made'}::boolean
    ), whole_days as materialized (
      select * from unnest(${sql.param(whole.map(({ date }) => date))}::date[], ${sql.param(whole.map(({ span }) => span))}::int[])
        whole_days (day, span)
    ), late as materialized (
      select w.day, w.meter, w.subject_id, d.span, sum(w.value) as value
      from waiting w join whole_days d on d.day = w.day where w.meter = any(${names}) group by 1, 2, 3, 4
    ), cells as materialized (
      select d.day, d.meter, d.subject_id, w.span, d.value + coalesce(l.value, 0) as value
      from (select * from whole_days where day not in (select day from made)) w
      -- Day by day by the index, also where the planner expects many days: mostly there are none.
      cross join lateral (select * from usage_days d
        where d.organization_id = ${organizationId} and d.day = w.day and d.meter = any(${names}) offset 0) d
      left join late l on l.day = d.day and l.meter = d.meter and l.subject_id = d.subject_id
      union all
      select d.day, d.meter, d.subject_id, w.span, d.value
      from (select * from whole_days where day in (select day from made)) w
      join usage_days d on d.organization_id = ${organizationId} and d.day = w.day and d.meter = any(${unmade})
      union all
      select l.* from late l where not exists (select from usage_days d where d.organization_id = ${organizationId}
        and d.day = l.day and d.meter = l.meter and d.subject_id = l.subject_id)
      ${
        mixed.length === 0
          ? sql``
          : sql`union all
      select day, meter, subject_id, span, sum(value) from (
        select ${dayOf(sql`h.hour`)} as day, h.meter, h.subject_id, ${spanOf(sql`h.hour`)} as span, h.value
        from usage_hours h join unnest(${sql.param(mixed.map(({ fromMs }) => iso(fromMs)))}::timestamptz[],
          ${sql.param(mixed.map(({ toMs }) => iso(toMs)))}::timestamptz[]) x (from_at, to_at)
          on h.hour >= x.from_at and h.hour < x.to_at
        where h.organization_id = ${organizationId} and (h.meter = any(${unmade}) or h.meter = any(${names})
          and ${dayOf(sql`x.from_at`)} not in (select day from made))
        union all
        select w.day, w.meter, w.subject_id, ${spanOf(sql`w.hour`)}, w.value
        from waiting w where w.day = any(${sql.param(mixed.map(({ date }) => date))}::date[]) and w.meter = any(${names})
      ) m group by 1, 2, 3, 4`
      }
    )`
}

/**
 * Splits what the nodes of a cluster cost on a day. A workload has the mean of its parts of CPU and memory; the last
 * digits go to the shared cost, or to the largest workload where nothing is kept apart.
 */
function split(organizationId: number, rule: SharedCostRule): SQL {
  const part = {
    requests: sql`(coalesce(cr / nullif(sum(cr) over cluster_day, 0), 0) + coalesce(mr / nullif(sum(mr) over cluster_day, 0), 0))
      / nullif((case when sum(cr) over cluster_day > 0 then 1 else 0 end) + (case when sum(mr) over cluster_day > 0 then 1 else 0 end), 0)`,
    use: sql`(coalesce(cu / nullif(sum(cu) over cluster_day, 0), 0) + coalesce(mu / nullif(sum(mu) over cluster_day, 0), 0))
      / nullif((case when sum(cu) over cluster_day > 0 then 1 else 0 end) + (case when sum(mu) over cluster_day > 0 then 1 else 0 end), 0)`,
    apart: sql`(greatest(cr, cu) / nullif(cc, 0) + greatest(mr, mu) / nullif(mc, 0)) / 2`,
  }[rule]
  const isWeighed = rule === 'apart' ? sql`true` : sql`s.namespace is distinct from 'kube-system'`
  return sql`costs as (
      select day, cluster_id, sum(amount) as amount, sum(value) as hours from priced
      where meter = 'node_hours' and cluster_id is not null group by 1, 2
    ), room as (
      select c.day, s.cluster_id, sum(c.value) filter (where c.meter = 'cpu_capacity') as cc,
        sum(c.value) filter (where c.meter = 'memory_capacity') as mc
      from cells c join usage_subjects s on s.organization_id = ${organizationId} and s.id = c.subject_id
      where c.meter in ('cpu_capacity', 'memory_capacity') group by 1, 2
    ), weights as (
      select c.day, s.cluster_id, c.subject_id,
        coalesce(sum(c.value) filter (where c.meter = 'cpu_requested'), 0) as cr,
        coalesce(sum(c.value) filter (where c.meter = 'cpu_used'), 0) as cu,
        coalesce(sum(c.value) filter (where c.meter = 'memory_requested'), 0) as mr,
        coalesce(sum(c.value) filter (where c.meter = 'memory_used'), 0) as mu
      from cells c join usage_subjects s on s.organization_id = ${organizationId} and s.id = c.subject_id
      where c.meter in ('cpu_requested', 'cpu_used', 'memory_requested', 'memory_used') and ${isWeighed}
      group by 1, 2, 3
    ), shares as (
      select w.day, w.cluster_id, w.subject_id, coalesce(${part}, 0) as share
      from weights w left join room r on r.day = w.day and r.cluster_id = w.cluster_id
      window cluster_day as (partition by w.day, w.cluster_id)
    ), bounded as (
      select day, cluster_id, subject_id, share / greatest(1, sum(share) over (partition by day, cluster_id)) as share,
        row_number() over (partition by day, cluster_id order by share desc, subject_id) as place
      from shares where share > 0
    ), allotted as (
      select b.day, b.cluster_id, b.subject_id, b.place, round(c.amount * b.share, 6) as amount,
        round(c.hours * b.share, 9) as hours
      from bounded b join costs c on c.day = b.day and c.cluster_id = b.cluster_id
    ), left_over as (
      select c.day, c.cluster_id, c.amount - coalesce(sum(a.amount), 0) as amount, c.hours - coalesce(sum(a.hours), 0) as hours,
        count(a.subject_id) = 0 or ${rule === 'apart'}::boolean as is_kept
      from costs c left join allotted a on a.day = c.day and a.cluster_id = c.cluster_id
      group by c.day, c.cluster_id, c.amount, c.hours
    ), parts as (
      select a.day, 'node_hours' as meter, a.cluster_id, a.subject_id, false as is_shared, null::int as span,
        a.hours + case when a.place = 1 and not l.is_kept then l.hours else 0 end as value,
        a.amount + case when a.place = 1 and not l.is_kept then l.amount else 0 end as amount
      from allotted a join left_over l on l.day = a.day and l.cluster_id = a.cluster_id
      union all
      select day, 'node_hours', cluster_id, null, true, null, hours, amount from left_over where is_kept
    )`
}
