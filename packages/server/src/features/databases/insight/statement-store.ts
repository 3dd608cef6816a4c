import { and, eq, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import {
  databaseInsights,
  databaseStatements,
  type StatementCounters,
  type StatementsProblem,
} from '../../../tables/database-statements.ts'
import type { WaitSeconds } from './load.ts'

export type Subject = { organizationId: number; id: string }

/** When a database was last looked into; locked until the transaction ends, so that nothing is counted twice. */
export async function lockInsight(db: Db, { organizationId, id }: Subject) {
  await db.insert(databaseInsights).values({ databaseId: id, organizationId }).onConflictDoNothing()
  const [row] = await db
    .select({ statementsAt: databaseInsights.statementsAt, adviceAt: databaseInsights.adviceAt })
    .from(databaseInsights)
    .where(and(eq(databaseInsights.organizationId, organizationId), eq(databaseInsights.databaseId, id)))
    .for('update')
  return row
}

export async function findInsight(db: Db, { organizationId, id }: Subject) {
  const [row] = await db
    .select({
      statementsAt: databaseInsights.statementsAt,
      statementsSince: databaseInsights.statementsSince,
      statementsProblem: databaseInsights.statementsProblem,
      adviceAt: databaseInsights.adviceAt,
    })
    .from(databaseInsights)
    .where(and(eq(databaseInsights.organizationId, organizationId), eq(databaseInsights.databaseId, id)))
  return row
}

export async function updateInsight(
  db: Db,
  { organizationId, id }: Subject,
  values: {
    statementsAt?: Date
    statementsSince?: Date | null
    statementsProblem?: StatementsProblem | null
    adviceAt?: Date
  },
): Promise<void> {
  await db
    .update(databaseInsights)
    .set(values)
    .where(and(eq(databaseInsights.organizationId, organizationId), eq(databaseInsights.databaseId, id)))
}

/** Counters and scores of the statements that are kept, by their ids. */
export async function knownStatements(db: Db, { organizationId, id }: Subject) {
  const rows = await db
    .select({
      queryId: sql<string>`${databaseStatements.queryId}::text`,
      counters: databaseStatements.counters,
      score: databaseStatements.score,
    })
    .from(databaseStatements)
    .where(and(eq(databaseStatements.organizationId, organizationId), eq(databaseStatements.databaseId, id)))
  return rows
}

export type KeptStatement = {
  queryId: string
  /** Null for one whose text is kept already. */
  text: { text: string; isCut: boolean } | null
  users: string[]
  issuers: Record<string, string>
  counters: StatementCounters
  score: number
  hasRun: boolean
}

/** Writes what is kept of the statements of a database, in one statement. */
export async function writeStatements(
  db: Db,
  { organizationId, id }: Subject,
  kept: readonly KeptStatement[],
  at: Date,
): Promise<void> {
  if (kept.length === 0) return
  const json = JSON.stringify(kept)
  const now = at.toISOString()
  await db.execute(sql`
    with given as (
      select (e ->> 'queryId')::int8 as query_id, e -> 'text' ->> 'text' as text,
        (e -> 'text' ->> 'isCut')::bool as is_cut, e -> 'users' as users, e -> 'issuers' as issuers,
        e -> 'counters' as counters, (e ->> 'score')::float8 as score, (e ->> 'hasRun')::bool as has_run
      from jsonb_array_elements(${json}::jsonb) e)
    insert into database_statements as s (database_id, organization_id, query_id, text, is_cut, users, issuers, counters,
      score, first_seen_at, last_seen_at)
    select ${id}::uuid, ${organizationId}::int, query_id, coalesce(text, ''), coalesce(is_cut, false), users, issuers, counters,
      score, ${now}::timestamptz, ${now}::timestamptz from given
    on conflict (database_id, query_id) do update set counters = excluded.counters, score = excluded.score,
      users = excluded.users, issuers = s.issuers || excluded.issuers,
      last_seen_at = case when (select g.has_run from given g where g.query_id = s.query_id) then excluded.last_seen_at
        else s.last_seen_at end`)
}

/** Forgets the statements of a database that are not kept any more, with what they did. */
export async function forgetStatements(
  db: Db,
  { organizationId, id }: Subject,
  queryIds: readonly string[],
): Promise<void> {
  if (queryIds.length === 0) return
  const ids = sql`${sql.param([...queryIds])}::int8[]`
  for (const table of ['database_statements', 'database_statement_points']) {
    // oxlint-disable-next-line no-await-in-loop -- in one transaction
    await db.execute(sql`
      delete from ${sql.raw(table)}
      where organization_id = ${organizationId} and database_id = ${id} and query_id = any (${ids})`)
  }
}

export type StatementPoint = StatementCounters & { queryId: string; load: WaitSeconds }

/** Adds what statements did to their minute and their hour. */
export async function addPoints(
  db: Db,
  { organizationId, id }: Subject,
  points: readonly StatementPoint[],
  at: Date,
): Promise<void> {
  if (points.length === 0) return
  await db.execute(sql`
    insert into database_statement_points as p (database_id, organization_id, step, at, query_id, calls, total_ms, rows,
      io_ms, cpu_seconds, io_seconds, lock_seconds, other_seconds)
    select ${id}::uuid, ${organizationId}::int, step, date_trunc(step, ${at.toISOString()}::timestamptz),
      (e ->> 'queryId')::int8, (e ->> 'calls')::float8, (e ->> 'totalMs')::float8, (e ->> 'rows')::float8,
      (e ->> 'ioMs')::float8, (e -> 'load' ->> 'cpu')::float8, (e -> 'load' ->> 'io')::float8,
      (e -> 'load' ->> 'lock')::float8, (e -> 'load' ->> 'other')::float8
    from jsonb_array_elements(${JSON.stringify(points)}::jsonb) e, unnest(array['minute', 'hour']) step
    on conflict (database_id, step, at, query_id) do update set calls = p.calls + excluded.calls,
      total_ms = p.total_ms + excluded.total_ms, rows = p.rows + excluded.rows, io_ms = p.io_ms + excluded.io_ms,
      cpu_seconds = p.cpu_seconds + excluded.cpu_seconds, io_seconds = p.io_seconds + excluded.io_seconds,
      lock_seconds = p.lock_seconds + excluded.lock_seconds, other_seconds = p.other_seconds + excluded.other_seconds`)
}

/** Counts of some statements: all that they did, and their mean in the last hour, in ms. */
export async function countsOf(
  db: Db,
  { organizationId, id }: Subject,
  queryIds: readonly string[],
  since: Date,
): Promise<{ queryId: string; text: string; calls: number; totalMs: number; meanMs: number | null }[]> {
  const { rows } = await db.execute<{
    queryId: string
    text: string
    calls: number
    totalMs: number
    meanMs: number | null
  }>(sql`
    select s.query_id::text as "queryId", s.text, (s.counters ->> 'calls')::float8 as calls,
      (s.counters ->> 'totalMs')::float8 as "totalMs",
      (select sum(p.total_ms) / nullif(sum(p.calls), 0) from database_statement_points p
        where p.organization_id = ${organizationId} and p.database_id = ${id} and p.step = 'minute'
          and p.query_id = s.query_id and p.at >= ${since.toISOString()}::timestamptz) as "meanMs"
    from database_statements s
    where s.organization_id = ${organizationId} and s.database_id = ${id}
      and s.query_id = any (${sql.param([...queryIds])}::int8[])`)
  return rows
}
