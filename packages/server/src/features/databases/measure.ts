import { type DatabaseEngine, oldestPostgres } from '@bey/contract'

import { ConnectionProblem } from '../../platform/outbound/connection-problem.ts'
import type { DatabaseCounters, MeasuredDatabase } from '../../tables/databases.ts'
import { activityRates, readActivity } from './insight/activity.ts'
import type { OpenConnection } from './provider.ts'

type Row = {
  version: string
  version_number: number
  size: number
  max_connections: number
  connections: number
  active: number
  idle: number
  idle_in_transaction: number
  waiting: number
  started_at: Date
  longest_ms: number | null
  is_replica: boolean
  is_monitor: boolean
  backend_pid: number
  commits: number
  rollbacks: number
  hits: number
  reads: number
}

// One statement: the figures are of one moment, and the server is asked once. Sessions of Bey itself do not count.
const measureSql = `
  with others as (
    select state, wait_event_type, query_start, datname from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type = 'client backend'
      and coalesce(application_name, '') !~ '^bey-(monitor|sql)'
  ), stat as (
    select xact_commit, xact_rollback, blks_hit, blks_read from pg_stat_database where datname = current_database()
  )
  select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
    pg_database_size(current_database())::float8 as size,
    current_setting('max_connections')::int as max_connections,
    (select count(*)::int from others) as connections,
    (select count(*)::int from others where state = 'active') as active,
    (select count(*)::int from others where state = 'idle') as idle,
    (select count(*)::int from others where state like 'idle in transaction%') as idle_in_transaction,
    (select count(*)::int from others where state = 'active' and wait_event_type = 'Lock') as waiting,
    pg_postmaster_start_time() as started_at,
    (select extract(epoch from max(clock_timestamp() - query_start)) * 1000 from others
      where state = 'active' and datname = current_database())::float8 as longest_ms,
    pg_is_in_recovery() as is_replica, pg_backend_pid() as backend_pid,
    pg_has_role(current_user, 'pg_monitor', 'usage') as is_monitor,
    coalesce((select xact_commit from stat), 0)::float8 as commits,
    coalesce((select xact_rollback from stat), 0)::float8 as rollbacks,
    coalesce((select blks_hit from stat), 0)::float8 as hits,
    coalesce((select blks_read from stat), 0)::float8 as reads`

export type Measured = { engine: DatabaseEngine; version: string; figures: MeasuredDatabase; notes: string[] }

/** Asks a server for its figures; rates are of the time since `before`. Throws ConnectionProblem for one too old. */
async function measure(
  connection: OpenConnection,
  before: MeasuredDatabase | null,
  at: Date,
): Promise<Measured> {
  const version = await connection.query<{ version: string; number: number }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
  )
  const [server] = version.rows
  if (server === undefined || server.number < oldestPostgres * 10_000) {
    throw new ConnectionProblem(
      `The server is PostgreSQL ${server?.version ?? 'of an unknown version'}. Bey looks after PostgreSQL ${oldestPostgres} and newer: upgrade it first.`,
    )
  }
  const { rows } = await connection.query<Row>(measureSql)
  const [row] = rows
  if (row === undefined) throw new Error('The server answered no figures')
  const activity = await readActivity(connection, server.number)
  const passedMs = before === null ? 0 : at.getTime() - Date.parse(before.at)
  const counters = {
    ...activity.counters,
    commits: row.commits,
    rollbacks: row.rollbacks,
    hits: row.hits,
    reads: row.reads,
  }
  return {
    engine: 'postgres',
    // Distributions add their own name: "16.4 (Debian 16.4-1)".
    version: row.version.split(' ')[0] ?? row.version,
    notes: notesOf(row, processIdOf(connection)),
    figures: {
      at: at.toISOString(),
      sizeBytes: row.size,
      maxConnections: row.max_connections,
      connections: row.connections,
      active: row.active,
      idle: row.idle,
      idleInTransaction: row.idle_in_transaction,
      waiting: row.waiting,
      startedAt: row.started_at.toISOString(),
      longestQueryMs: row.longest_ms === null ? null : Math.max(0, row.longest_ms),
      longestLockWaitMs: activity.longestLockWaitMs,
      longestIdleInTransactionMs: activity.longestIdleInTransactionMs,
      frozenAge: activity.frozenAge,
      replicationLagMs: activity.replicationLagMs,
      ...ratesOf(counters, before, at),
      rates: activityRates(counters, before?.counters, passedMs),
      counters,
    },
  }
}

/** The same over a connection that is opened for it, and ended whatever comes. */
export async function measureOnce(
  connection: OpenConnection,
  before: MeasuredDatabase | null,
  at: Date,
): Promise<Measured> {
  try {
    // Whoever owns the database chooses where names are looked up in it; this session calls none of their functions.
    await connection.query('set search_path = pg_catalog')
    return await measure(connection, before, at)
  } finally {
    await connection.end()
  }
}

function ratesOf(counters: DatabaseCounters, before: MeasuredDatabase | null, at: Date) {
  const seconds = before === null ? 0 : (at.getTime() - Date.parse(before.at)) / 1000
  // A server whose statistics were reset counts from zero again.
  const isReset = before === null || counters.commits < before.counters.commits
  const since = isReset ? null : before.counters
  const rate = (now: number, then: number | undefined) =>
    then === undefined || seconds < 0.5 ? null : Math.max(0, now - then) / seconds
  const hits = counters.hits - (since?.hits ?? 0)
  const reads = counters.reads - (since?.reads ?? 0)
  return {
    cacheHit: hits + reads > 0 ? Math.min(1, Math.max(0, hits / (hits + reads))) : null,
    transactionsPerSecond: rate(
      counters.commits + counters.rollbacks,
      since === null ? undefined : since.commits + since.rollbacks,
    ),
    rollbacksPerSecond: rate(counters.rollbacks, since?.rollbacks),
  }
}

/** Statements of a measure: each is a transaction of its own. */
const ownStatements = 4

/**
 * The same without the transactions of Bey itself: those of the measure, and `others` since the one before. Between several
 * processes the count is off by what another one did.
 */
export function withoutOwn(found: Measured, before: MeasuredDatabase | null, others: number): Measured {
  const { figures } = found
  const { transactionsPerSecond } = figures
  if (transactionsPerSecond === null || before === null) return found
  const seconds = (Date.parse(figures.at) - Date.parse(before.at)) / 1_000
  const own = (ownStatements + others) / Math.max(0.5, seconds)
  return {
    ...found,
    figures: { ...figures, transactionsPerSecond: Math.max(0, transactionsPerSecond - own) },
  }
}

/** The process that the other side named when the session began; undefined where it named none. */
function processIdOf({ client }: OpenConnection): number | undefined {
  // The types of the client leave it out.
  const { processID } = client as { processID?: number | null }
  return processID ?? undefined
}

function notesOf(row: Row, processId: number | undefined): string[] {
  return [
    // A pooler names itself, and hands statements on to whichever session is free.
    processId !== undefined && processId !== row.backend_pid
      ? 'A connection pooler such as PgBouncer is in between: sessions that Bey sees belong to it, and what a session sets may be lost between statements.'
      : undefined,
    row.is_replica ? 'The server is a replica: it can be read only.' : undefined,
    row.is_monitor
      ? undefined
      : 'The user lacks the role pg_monitor, so Bey does not see what other users do there. An administrator of it can grant that role.',
  ].filter((note) => note !== undefined)
}
