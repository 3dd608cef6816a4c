import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import type { SharedCostRule } from '@bey/contract/billing/usage-meters'
import type { Rate } from '../prices/rates.ts'
import { type Filters, keyOf, matching, needsWorkloads, servicesOfMeters } from './dimensions.ts'
import { type LinesOf, pricedLines } from './lines.ts'

/** What a key cost on a day. `key` is null for what the dimension does not know; `isRest` for what `limit` left out. */
export type SumRow = {
  isRest: boolean
  key: string | null
  day: string
  meter: string
  clusterId: number | null
  isShared: boolean
  value: string
  amount: string
  /** Of the newest subject, whose names are shown. */
  subjectId: string | null
}

export type SumsOf = LinesOf & {
  by: string
  filters: Filters
  rule: SharedCostRule
  /** Keys with rows of their own: those that cost most, and those that are named. */
  limit: number
  keys?: readonly (string | null)[]
}

/** Spend of a month by keys and days; the sum of all rows is the spend of all lines that match, to the last digit. */
export async function readSums(
  db: Db,
  of: SumsOf,
  rates: readonly Rate[],
): Promise<{ rows: SumRow[]; restCount: number }> {
  const { by, filters, organizationId, keys } = of
  const rule = needsWorkloads(by, filters) ? of.rule : undefined
  const chosen =
    keys === undefined
      ? sql`select key from keyed group by key order by sum(amount) desc, key limit ${of.limit}`
      : sql`select distinct key from keyed where key = any(${sql.param(keys.filter((key) => key !== null))}::text[])
          ${keys.includes(null) ? sql`or key is null` : sql``}`
  const { rows } = await db.execute<SumRow & { restCount: number }>(sql`
    with ${pricedLines(of, rates, rule)}, keyed as materialized (
      select ${keyOf(by)} as key, l.day, l.meter, l.cluster_id, l.is_shared, sum(l.value) as value, sum(l.amount) as amount,
        max(l.subject_id) as subject_id
      from lines l join ${servicesOfMeters} on m.meter = l.meter
      left join usage_subjects s on s.organization_id = ${organizationId} and s.id = l.subject_id
      where ${matching(filters)}
      group by 1, 2, 3, 4, 5
    ), top as materialized (${chosen})
    select false as "isRest", k.key, k.day::text, k.meter, k.cluster_id as "clusterId", k.is_shared as "isShared",
      k.value::text, k.amount::text, k.subject_id::text as "subjectId", 0 as "restCount"
    from keyed k join top t on ${isSameKey('t', 'k')}
    union all
    select true, null, k.day::text, 'runs', k.cluster_id, false, '0', sum(k.amount)::text, null,
      (select count(*)::int from (select distinct key from keyed r where not exists
        (select from top t where ${isSameKey('t', 'r')})) r)
    from keyed k where not exists (select from top t where ${isSameKey('t', 'k')})
    group by k.day, k.cluster_id`)
  return { rows, restCount: rows.find(({ isRest }) => isRest)?.restCount ?? 0 }
}

/** `is not distinct from` in a form that is joined by its hash, not row by row: a month has many keys. */
const isSameKey = (a: 't', b: 'k' | 'r') =>
  sql.raw(`(coalesce(${a}.key, '') = coalesce(${b}.key, '') and (${a}.key is null) = (${b}.key is null))`)

export type SubjectNames = {
  id: string
  clusterId: number | null
  cluster: string | null
  namespace: string | null
  workload: string | null
  resource: string | null
  owner: string | null
  person: string | null
}

export async function readNames(
  db: Db,
  organizationId: number,
  ids: readonly string[],
): Promise<Map<string, SubjectNames>> {
  const { rows } = await db.execute<SubjectNames>(sql`
    select id::text, cluster_id as "clusterId", cluster_name as cluster, namespace, workload,
      resource_name as resource, owner_name as owner, person_name as person
    from usage_subjects where organization_id = ${organizationId} and id = any(${sql.param(ids)}::bigint[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Names of clusters as they are now, or as they were when they were last metered. */
export async function readClusterNames(db: Db, organizationId: number): Promise<Map<number, string>> {
  const { rows } = await db.execute<{ id: number; name: string }>(sql`
    select distinct on (cluster_id) cluster_id as id, cluster_name as name from usage_subjects s
    where organization_id = ${organizationId} and cluster_id is not null order by cluster_id, s.id desc`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
