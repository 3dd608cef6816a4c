import { insightLimits } from '@bey/contract'

import type { StatementsProblem } from '../../../tables/database-statements.ts'
import { auditedStatement } from '../../../platform/audit/audited-statement.ts'
import type { MonitorClient } from './monitor-connections.ts'
import type { CountedStatement } from './statement-deltas.ts'

/** Statements that are counted at a time: those that took the most since the server's statistics were reset. */
const maxCounted = 1_000

export type CountedStatements = {
  statements: (CountedStatement & { users: string[] })[]
  /** When the server last forgot its statistics; null before PostgreSQL 14. */
  since: Date | null
}

/** Where the extension is, or why its statements cannot be read and what switches it on. */
export async function findStatements({
  client,
}: MonitorClient): Promise<{ schema: string } | { problem: StatementsProblem }> {
  const { rows } = await client.query<{
    schema: string | null
    is_available: boolean
    preloaded: string | null
  }>(
    `/* bey-monitor */ select
      (select quote_ident(n.nspname) from pg_extension e join pg_namespace n on n.oid = e.extnamespace
        where e.extname = 'pg_stat_statements') as schema,
      exists (select from pg_available_extensions where name = 'pg_stat_statements') as is_available,
      (select setting from pg_settings where name = 'shared_preload_libraries') as preloaded`,
  )
  const { schema = null, is_available = false, preloaded = null } = rows[0] ?? {}
  const create = 'CREATE EXTENSION pg_stat_statements;'
  if (!is_available) {
    const text =
      'The server lacks the extension pg_stat_statements. Install the package with PostgreSQL’s additional modules, such as postgresql-contrib, then execute these lines and restart the server after the first.'
    return { problem: { text, lines: [preloadLine(preloaded), create] } }
  }
  if (preloaded !== null && !preloaded.includes('pg_stat_statements')) {
    const text =
      'The server does not count statements: pg_stat_statements is not loaded. As a superuser execute the first line and restart the server, then execute the second one in this database.'
    return { problem: { text, lines: [preloadLine(preloaded), create] } }
  }
  if (schema === null) {
    const text = 'The extension pg_stat_statements is not made in this database. As a superuser execute:'
    return { problem: { text, lines: [create] } }
  }
  return { schema }
}

function preloadLine(preloaded: string | null): string {
  const all = [...(preloaded ?? '').split(',').map((name) => name.trim()), 'pg_stat_statements']
  return `ALTER SYSTEM SET shared_preload_libraries = '${all.filter(Boolean).join(',')}';`
}

/** Counts of the statements of this database, without those of Bey itself. Their texts are read apart: they are long. */
export async function countStatements(
  { client, version }: MonitorClient,
  schema: string,
): Promise<CountedStatements> {
  const io =
    version >= 170_000
      ? 's.shared_blk_read_time + s.shared_blk_write_time + s.temp_blk_read_time + s.temp_blk_write_time'
      : 's.blk_read_time + s.blk_write_time'
  const { rows } = await client.query<{
    queryId: string
    calls: number
    totalMs: number
    rows: number
    ioMs: number
    since: Date | null
    users: string[]
  }>(
    `/* bey-monitor */
     select s.queryid::text as "queryId", sum(s.calls)::float8 as calls, sum(s.total_exec_time)::float8 as "totalMs",
        sum(s.rows)::float8 as rows, sum(${io})::float8 as "ioMs",
        ${version >= 170_000 ? 'min(s.stats_since)' : 'null::timestamptz'} as since,
        coalesce(array_agg(distinct r.rolname::text) filter (where r.rolname is not null), '{}') as users
       from ${schema}.pg_stat_statements(false) s left join pg_roles r on r.oid = s.userid
      where s.dbid = (select oid from pg_database where datname = current_database())
        and s.queryid is not null and r.rolname is distinct from 'bey_monitor'
      group by s.queryid order by sum(s.total_exec_time) desc limit ${maxCounted}`,
  )
  const since =
    version < 140_000
      ? null
      : (
          await client.query<{ since: Date | null }>(
            `/* bey-monitor */ select stats_reset as since from ${schema}.pg_stat_statements_info`,
          )
        ).rows[0]?.since
  return { statements: rows, since: since ?? null }
}

/** Statements that say nothing of a database: they belong to a session. */
const uninteresting =
  '^\\s*(/\\* bey-monitor|begin|start transaction|commit|end\\M|rollback|set\\M|reset|show|savepoint|release|discard|deallocate|close)'

/** Texts of statements, without those of Bey and those that only steer a session. */
export async function readTexts(
  { client }: MonitorClient,
  schema: string,
  queryIds: readonly string[],
): Promise<Map<string, { text: string; isCut: boolean }>> {
  if (queryIds.length === 0) return new Map()
  const { rows } = await client.query<{ queryId: string; text: string }>(
    `/* bey-monitor */
     select distinct on (queryid) queryid::text as "queryId", left(query, ${insightLimits.statementText + 1}) as text
       from ${schema}.pg_stat_statements(true)
      where queryid = any ($1::int8[]) and query !~* $2 and query <> '<insufficient privilege>'
        and dbid = (select oid from pg_database where datname = current_database())
      order by queryid`,
    [queryIds, uninteresting],
  )
  return new Map(
    rows.map(({ queryId, text }) => [
      queryId,
      {
        // Commands that set passwords are not normalized by the server.
        text: maskedText(text.slice(0, insightLimits.statementText)),
        isCut: text.length > insightLimits.statementText,
      },
    ]),
  )
}

function maskedText(text: string): string {
  return /^\s*(create|alter)\s+(role|user|group|subscription|server)/i.test(text)
    ? auditedStatement(text)
    : text
}
