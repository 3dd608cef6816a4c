import type { UsageMeter } from '@bey/contract/billing/usage-meters'
import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { type Filters, matching, servicesOfMeters } from '../spend/dimensions.ts'

export type EventRow = {
  seq: string
  source: string
  id: string
  meter: UsageMeter
  value: string
  atMs: number
  recordedAtMs: number
  isSeeded: boolean
  cluster: string | null
  namespace: string | null
  workload: string | null
  resource: string | null
  nodeType: string | null
  owner: string | null
  person: string | null
  labels: Record<string, string>
}

/** Events between two instants that match, the newest first; `before` is where the last page ended. */
export async function listEvents(
  db: Db,
  organizationId: number,
  of: {
    fromMs: number
    toMs: number
    filters: Filters
    before: { atMs: number; seq: string } | undefined
    limit: number
  },
): Promise<EventRow[]> {
  const iso = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`
  const { rows } = await db.execute<EventRow>(sql`
    select e.seq::text, e.source, e.event_id as id, e.meter, e.value::text,
      extract(epoch from e.at)::float8 * 1000 as "atMs", extract(epoch from e.recorded_at)::float8 * 1000 as "recordedAtMs",
      e.is_seeded as "isSeeded", s.cluster_name as cluster, s.namespace, s.workload, s.resource_name as resource,
      s.node_type as "nodeType", s.owner_name as owner, s.person_name as person, s.labels
    from usage_events e
    join usage_subjects s on s.organization_id = ${organizationId} and s.id = e.subject_id
    join ${servicesOfMeters} on m.meter = e.meter
    cross join lateral (select e.meter, s.cluster_id, false as is_shared) l
    where e.organization_id = ${organizationId} and e.at >= ${iso(of.fromMs)} and e.at < ${iso(of.toMs)}
      and ${of.before ? sql`(e.at, e.seq) < (${iso(of.before.atMs)}, ${of.before.seq}::bigint)` : sql`true`}
      and ${matching(of.filters)}
    order by e.at desc, e.seq desc limit ${of.limit}`)
  return rows
}

/** Events of a time: how many, the newest, and whether seeded ones are among them. */
export async function eventFacts(
  db: Db,
  organizationId: number,
  days: readonly string[],
  fromMs: number,
  toMs: number,
): Promise<{ count: number; lastAtMs: number | null; isSeeded: boolean }> {
  const from = new Date(fromMs).toISOString()
  const to = new Date(toMs).toISOString()
  const { rows } = await db.execute<{ count: number; lastAtMs: number | null; isSeeded: boolean }>(sql`
    select (select coalesce(sum(event_count), 0)::int from usage_cost_days where organization_id = ${organizationId}
        and day between ${days[0] ?? '2000-01-01'}::date and ${days.at(-1) ?? '2000-01-01'}::date)
      + (select count(*)::int from usage_pending where organization_id = ${organizationId}
        and at >= ${from}::timestamptz and at < ${to}::timestamptz) as count,
      (select extract(epoch from max(at))::float8 * 1000 from usage_events where organization_id = ${organizationId}
        and at >= ${from}::timestamptz and at < ${to}::timestamptz) as "lastAtMs",
      exists (select from usage_events where organization_id = ${organizationId} and is_seeded) as "isSeeded"`)
  return rows[0] ?? { count: 0, lastAtMs: null, isSeeded: false }
}

/** When the first event of an organization was; null where there is none. */
export async function readFirstEventMs(db: Db, organizationId: number): Promise<number | null> {
  const { rows } = await db.execute<{ ms: number | null }>(sql`
    select extract(epoch from min(at))::float8 * 1000 as ms from usage_events where organization_id = ${organizationId}`)
  return rows[0]?.ms ?? null
}

/** Labels that usage of some days has, by how many values. */
export async function listLabelKeys(
  db: Db,
  organizationId: number,
  ownerId: number | undefined,
  days: readonly string[],
): Promise<{ key: string; valueCount: number }[]> {
  const { rows } = await db.execute<{ key: string; valueCount: number }>(sql`
    select l.key, count(distinct l.value)::int as "valueCount"
    from usage_subjects s cross join lateral jsonb_each_text(s.labels) l
    where s.organization_id = ${organizationId} and (${ownerId ?? null}::int is null or s.owner_id = ${ownerId ?? null}::int)
      and exists (select from usage_days d where d.organization_id = ${organizationId} and d.subject_id = s.id
        and d.day between ${days[0] ?? '2000-01-01'}::date and ${days.at(-1) ?? '2000-01-01'}::date)
    group by 1 order by 2 desc, 1 limit 100`)
  return rows
}

export type Difference = { meter: UsageMeter; events: string; hours: string; days: string }

/** Compares the events of a month with the sums of its hours and days, by hour and subject; what waits is added. */
export async function compareSums(
  db: Db,
  organizationId: number,
  of: { fromMs: number; toMs: number; days: readonly string[]; timeZone: string },
): Promise<{ eventCount: number; differences: Difference[] }> {
  const from = new Date(of.fromMs).toISOString()
  const to = new Date(of.toMs).toISOString()
  const { rows } = await db.execute<Difference & { eventCount: number; differs: boolean }>(sql`
    with events as (
      select date_trunc('hour', at, 'UTC') as hour, meter, subject_id, sum(value) as value, count(*) as count
      from usage_events
      where organization_id = ${organizationId} and at >= ${from}::timestamptz and at < ${to}::timestamptz
      group by 1, 2, 3
    ), pending as (
      select date_trunc('hour', at, 'UTC') as hour, meter, subject_id, sum(value) as value
      from usage_pending
      where organization_id = ${organizationId} and at >= ${from}::timestamptz and at < ${to}::timestamptz
      group by 1, 2, 3
    ), hours as (
      select hour, meter, subject_id, sum(value) as value from (
        select hour, meter, subject_id, value from usage_hours
        where organization_id = ${organizationId} and hour >= ${from}::timestamptz and hour < ${to}::timestamptz
        union all select * from pending
      ) h group by 1, 2, 3
    ), days as (
      select day, meter, subject_id, sum(value) as value from (
        select day, meter, subject_id, value from usage_days where organization_id = ${organizationId}
          and day between ${of.days[0] ?? ''}::date and ${of.days.at(-1) ?? ''}::date
        union all select (hour at time zone ${of.timeZone}::text)::date, meter, subject_id, value from pending
      ) d group by 1, 2, 3
    ), by_hour as (
      select meter, subject_id, e.value is distinct from h.value as differs
      from events e full join hours h using (hour, meter, subject_id)
    ), by_day as (
      select meter, subject_id, e.value is distinct from d.value as differs
      from (select (hour at time zone ${of.timeZone}::text)::date as day, meter, subject_id, sum(value) as value
        from events group by 1, 2, 3) e full join days d using (day, meter, subject_id)
    ), wrong as (
      select meter from by_hour where differs union select meter from by_day where differs
    )
    select m.meter, coalesce((select sum(value) from events e where e.meter = m.meter), 0)::text as events,
      coalesce((select sum(value) from hours h where h.meter = m.meter), 0)::text as hours,
      coalesce((select sum(value) from days d where d.meter = m.meter), 0)::text as days,
      (select coalesce(sum(count), 0)::int from events) as "eventCount", m.meter in (select meter from wrong) as differs
    from (select meter from events union select meter from hours union select meter from days) m (meter)
    order by 1`)
  return {
    eventCount: rows[0]?.eventCount ?? 0,
    differences: rows
      .filter(({ differs }) => differs)
      .map(({ meter, events, hours, days }) => ({ meter, events, hours, days })),
  }
}

/** Times without measurements that touch a time, the newest first. Adjoining ones are one. */
export async function listGaps(
  db: Db,
  organizationId: number,
  fromMs: number,
  toMs: number,
): Promise<{ name: string; fromMs: number; toMs: number }[]> {
  const { rows } = await db.execute<{ name: string; fromMs: number; toMs: number }>(sql`
    with gaps as (
      select entity_type, entity_id, name, from_at, to_at,
        case when from_at <= lag(to_at) over of_entity then 0 else 1 end as is_first
      from usage_gaps
      where organization_id = ${organizationId} and to_at > ${new Date(fromMs).toISOString()}::timestamptz
        and from_at < ${new Date(toMs).toISOString()}::timestamptz
      window of_entity as (partition by entity_type, entity_id order by from_at)
    ), numbered as (
      select *, sum(is_first) over (partition by entity_type, entity_id order by from_at) as number from gaps
    )
    select max(name) as name, extract(epoch from min(from_at))::float8 * 1000 as "fromMs",
      extract(epoch from max(to_at))::float8 * 1000 as "toMs"
    from numbered group by entity_type, entity_id, number order by 2 desc limit 50`)
  return rows
}
