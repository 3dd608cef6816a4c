import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'

export type StatementRow = {
  number: number
  month: string
  from: string
  to: string
  timeZone: string
  currency: string
  priceVersions: number[]
  isSeeded: boolean
  frozenAt: string
  lineCount: number
  /** Rows of its paper: lines of all days together. */
  partCount: number
  usageTotal: string
  corrections: { month: string; amount: string; currency: string }[]
}

/** Statements with their sums, the newest first; one where a number is given. */
export async function listStatements(
  db: Db,
  organizationId: number,
  number?: number,
): Promise<StatementRow[]> {
  const iso = (column: string) =>
    sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
  const { rows } = await db.execute<StatementRow>(sql`
    with chosen as (
      select * from statements where organization_id = ${organizationId}
        ${number === undefined ? sql`` : sql`and number = ${number}`}
      order by number desc limit 600
    ), sums as (
      select l.number, l.month, l.currency, count(*)::int as lines, sum(l.amount) as amount
      from statement_lines l join chosen c on c.number = l.number
      where l.organization_id = ${organizationId} group by 1, 2, 3
    )
    select s.number, s.month, (select count(*)::int from (select 1 from statement_lines l
        where l.organization_id = ${organizationId} and l.number = s.number
        group by l.month, l.meter, l.subject_id, l.currency) p) as "partCount", ${iso('s.from_at')} as "from", ${iso('s.to_at')} as "to", s.time_zone as "timeZone",
      s.currency, s.price_versions as "priceVersions", s.is_seeded as "isSeeded", ${iso('s.frozen_at')} as "frozenAt",
      coalesce((select sum(lines)::int from sums m where m.number = s.number), 0) as "lineCount",
      coalesce((select sum(amount)::text from sums m where m.number = s.number and m.month = s.month), '0') as "usageTotal",
      coalesce((select json_agg(json_build_object('month', m.month, 'amount', m.amount::text, 'currency', m.currency) order by m.month)
        from sums m where m.number = s.number and m.month <> s.month), '[]') as corrections
    from chosen s order by s.number desc`)
  return rows
}

export type StatementLine = {
  position: number
  month: string
  day: string
  meter: string
  priceVersion: number
  currency: string
  quantity: string
  amount: string
  clusterId: number | null
  cluster: string | null
  namespace: string | null
  workload: string | null
  resourceId: string | null
  resource: string | null
  provider: string | null
  region: string | null
  nodeType: string | null
  labels: Record<string, string>
}

/** Lines of a statement after a position, in their order. */
export async function readLines(
  db: Db,
  organizationId: number,
  number: number,
  { after, limit }: { after: number; limit: number },
): Promise<StatementLine[]> {
  const { rows } = await db.execute<StatementLine>(sql`
    select l.position, l.month, l.day::text, l.meter, l.price_version as "priceVersion", l.currency,
      l.quantity::text, l.amount::text, s.cluster_id as "clusterId", s.cluster_name as cluster, s.namespace, s.workload,
      s.resource_id as "resourceId", s.resource_name as resource, s.provider, s.region, s.node_type as "nodeType", s.labels
    from statement_lines l
    join usage_subjects s on s.organization_id = l.organization_id and s.id = l.subject_id
    where l.organization_id = ${organizationId} and l.number = ${number} and l.position > ${after}
    order by l.position limit ${limit}`)
  return rows
}

export type StatementPart = {
  month: string
  meter: string
  name: string | null
  cluster: string | null
  namespace: string | null
  quantity: string
  amount: string
  currency: string
}

/** Lines of a statement, those of all days together; the dearest first. */
export async function readParts(
  db: Db,
  organizationId: number,
  number: number,
  limit: number,
): Promise<StatementPart[]> {
  const { rows } = await db.execute<StatementPart>(sql`
    select l.month, l.meter, coalesce(s.resource_name, s.workload, s.node_type, s.person_name) as name,
      s.cluster_name as cluster, s.namespace, l.quantity::text, l.amount::text, l.currency
    from (
      select month, meter, subject_id, currency, sum(quantity) as quantity, sum(amount) as amount
      from statement_lines where organization_id = ${organizationId} and number = ${number} group by 1, 2, 3, 4
    ) l join usage_subjects s on s.organization_id = ${organizationId} and s.id = l.subject_id
    order by l.month desc, l.amount desc, l.meter, l.subject_id limit ${limit}`)
  return rows
}

/** Sums of a statement by meter. */
export async function sumsByMeter(
  db: Db,
  organizationId: number,
  number: number,
): Promise<{ meter: string; amount: string }[]> {
  const { rows } = await db.execute<{ meter: string; amount: string }>(sql`
    select l.meter, sum(l.amount)::text as amount from statement_lines l
    join statements s on s.organization_id = l.organization_id and s.number = l.number and s.currency = l.currency
    where l.organization_id = ${organizationId} and l.number = ${number} group by 1 order by 1`)
  return rows
}

/** What all statements together bill for a month. */
export async function billedOf(db: Db, organizationId: number, month: string): Promise<string> {
  const { rows } = await db.execute<{ amount: string }>(sql`
    select coalesce(sum(amount), 0)::text as amount from statement_lines
    where organization_id = ${organizationId} and month = ${month}`)
  return rows[0]?.amount ?? '0'
}
