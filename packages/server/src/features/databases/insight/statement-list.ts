import type { DatabaseStatement, ParsedInput } from '@bey/contract'
import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import type { Subject } from './statement-store.ts'

type Range = ParsedInput<'databases.statements'>['query']['range']
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const ranges: Record<Range, { step: 'minute' | 'hour'; stepMs: number; steps: number }> = {
  '1h': { step: 'minute', stepMs: minuteMs, steps: 60 },
  '24h': { step: 'hour', stepMs: hourMs, steps: 24 },
  '7d': { step: 'hour', stepMs: hourMs, steps: 168 },
}

/** The range that ends with the present step. */
export function rangeUntil(range: Range, now: Date) {
  const { step, stepMs, steps } = ranges[range]
  const toMs = (Math.floor(now.getTime() / stepMs) + 1) * stepMs
  return { step, stepMs, steps, fromMs: toMs - steps * stepMs, toMs }
}

type Row = {
  query_id: string
  text: string
  is_cut: boolean
  users: string[]
  issuers: Record<string, string>
  first_ms: number
  last_ms: number
  calls: number
  total_ms: number
  rows: number
  io_ms: number
  cpu: number
  io: number
  lock: number
  other: number
  calls_before: number
  total_before: number
  trend: [number, number][] | null
}

/** What the statements of a database did in a range, those that took the most time first. */
export async function listStatements(
  db: Db,
  { organizationId, id }: Subject,
  { step, stepMs, steps, fromMs, toMs }: ReturnType<typeof rangeUntil>,
): Promise<DatabaseStatement[]> {
  const from = new Date(fromMs).toISOString()
  const to = new Date(toMs).toISOString()
  const before = new Date(fromMs - (toMs - fromMs)).toISOString()
  const { rows } = await db.execute<Row>(sql`
    with points as (
      select p.*, p.at >= ${from}::timestamptz as is_now from database_statement_points p
      where p.organization_id = ${organizationId} and p.database_id = ${id} and p.step = ${step}
        and p.at >= ${before}::timestamptz and p.at < ${to}::timestamptz
    ), sums as (
      select query_id, coalesce(sum(calls) filter (where is_now), 0) as calls,
        coalesce(sum(total_ms) filter (where is_now), 0) as total_ms, coalesce(sum(rows) filter (where is_now), 0) as rows,
        coalesce(sum(io_ms) filter (where is_now), 0) as io_ms,
        coalesce(sum(cpu_seconds) filter (where is_now), 0) as cpu, coalesce(sum(io_seconds) filter (where is_now), 0) as io,
        coalesce(sum(lock_seconds) filter (where is_now), 0) as lock,
        coalesce(sum(other_seconds) filter (where is_now), 0) as other,
        coalesce(sum(calls) filter (where not is_now), 0) as calls_before,
        coalesce(sum(total_ms) filter (where not is_now), 0) as total_before,
        jsonb_agg(jsonb_build_array(round((extract(epoch from at) * 1000 - ${fromMs}) / ${stepMs}), total_ms))
          filter (where is_now) as trend
      from points group by query_id)
    select s.query_id::text, s.text, s.is_cut, s.users, s.issuers,
      extract(epoch from s.first_seen_at)::float8 * 1000 as first_ms, extract(epoch from s.last_seen_at)::float8 * 1000 as last_ms,
      sums.calls, sums.total_ms, sums.rows, sums.io_ms, sums.cpu, sums.io, sums.lock, sums.other, sums.calls_before,
      sums.total_before, sums.trend
    from database_statements s join sums using (query_id)
    where s.organization_id = ${organizationId} and s.database_id = ${id}
      and (sums.calls > 0 or sums.cpu + sums.io + sums.lock + sums.other > 0)
    order by sums.total_ms desc, s.query_id`)
  const all = rows.reduce((sum, row) => sum + row.total_ms, 0)
  const seconds = (toMs - fromMs) / 1_000
  return rows.map((row) => present(row, all, seconds, steps))
}

function present(row: Row, allMs: number, seconds: number, steps: number): DatabaseStatement {
  const { calls, total_ms: totalMs, calls_before: callsBefore, total_before: totalBefore } = row
  const meanMs = calls > 0 ? totalMs / calls : null
  const meanBefore = callsBefore > 0 ? totalBefore / callsBefore : null
  const trend = Array.from({ length: steps }, () => 0)
  for (const [index, value] of row.trend ?? []) if (index >= 0 && index < steps) trend[index] = value
  return {
    queryId: row.query_id,
    text: row.text,
    isCut: row.is_cut,
    firstSeenAt: new Date(row.first_ms).toISOString(),
    lastSeenAt: new Date(row.last_ms).toISOString(),
    calls,
    totalMs,
    meanMs,
    rows: row.rows,
    ioMs: row.io_ms,
    share: allMs > 0 ? Math.min(1, totalMs / allMs) : 0,
    change: meanMs === null || meanBefore === null || meanBefore === 0 ? null : meanMs / meanBefore,
    trend,
    load: {
      cpu: row.cpu / seconds,
      io: row.io / seconds,
      lock: row.lock / seconds,
      other: row.other / seconds,
    },
    users: row.users,
    issuers: Object.entries(row.issuers)
      .map(([name, at]) => ({ name, at }))
      .toSorted((a, b) => (a.at < b.at ? 1 : -1))
      .slice(0, 20),
  }
}
