import { databaseMetrics } from '@bey/contract'

import type { ActivityCounters } from '../../../tables/databases.ts'
import type { OpenConnection } from '../provider.ts'

/** What a server has counted, and what goes on there now. Null: it does not say. */
export type Activity = {
  counters: ActivityCounters
  longestLockWaitMs: number | null
  longestIdleInTransactionMs: number | null
  /** Transactions since the oldest row of the database was frozen; at 2 billion PostgreSQL refuses to write. */
  frozenAge: number | null
  /** Of the standby that is furthest behind, or of a standby itself; null where nothing is replicated. */
  replicationLagMs: number | null
}

const checkpointsSql = (version: number) =>
  version >= 170_000
    ? '(select (num_timed + num_requested)::float8 from pg_stat_checkpointer)'
    : '(select (checkpoints_timed + checkpoints_req)::float8 from pg_stat_bgwriter)'

const activitySql = (version: number) => `
  with others as (
    select state, wait_event_type, query_start, state_change from pg_stat_activity
    where pid <> pg_backend_pid() and backend_type = 'client backend' and datname = current_database()
      and coalesce(application_name, '') !~ '^bey-(monitor|sql)'
  )
  select s.deadlocks::float8 as deadlocks, s.temp_bytes::float8 as "tempBytes", s.tup_fetched::float8 as "rowsRead",
    (s.tup_inserted + s.tup_updated + s.tup_deleted)::float8 as "rowsWritten",
    case when pg_is_in_recovery() then null else pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') end::float8 as "walBytes",
    ${checkpointsSql(version)} as checkpoints,
    (select extract(epoch from max(clock_timestamp() - query_start)) * 1000 from others
      where state = 'active' and wait_event_type = 'Lock')::float8 as lock_ms,
    (select extract(epoch from max(clock_timestamp() - state_change)) * 1000 from others
      where state like 'idle in transaction%')::float8 as idle_ms,
    (select age(datfrozenxid) from pg_database where datname = current_database())::float8 as frozen_age,
    case when not pg_is_in_recovery() then
      -- A standby that has replayed all of it has no lag to report; one without a position replays nothing.
      (select extract(epoch from max(coalesce(replay_lag, interval '0'))) * 1000 from pg_stat_replication
        where state = 'streaming' and replay_lsn is not null)
    when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
    else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000 end::float8 as lag_ms
  from pg_stat_database s where s.datname = current_database()`

/** Reads what a database has counted. `version`: such as 170002. */
export async function readActivity(
  connection: Pick<OpenConnection, 'query'>,
  version: number,
): Promise<Activity> {
  const { rows } = await connection.query<
    ActivityCounters & {
      lock_ms: number | null
      idle_ms: number | null
      frozen_age: number | null
      lag_ms: number | null
    }
  >(activitySql(version))
  const {
    lock_ms: lockMs = null,
    idle_ms: idleMs = null,
    frozen_age: frozenAge = null,
    lag_ms: lagMs = null,
    ...counters
  } = rows[0] ?? {}
  return {
    counters,
    longestLockWaitMs: lockMs === null ? null : Math.max(0, lockMs),
    longestIdleInTransactionMs: idleMs === null ? null : Math.max(0, idleMs),
    frozenAge,
    replicationLagMs: lagMs === null ? null : Math.max(0, lagMs),
  }
}

/** Which metric each counter becomes, and for how many seconds it is counted. */
const rates: readonly { counter: keyof ActivityCounters; metric: string; seconds: number }[] = [
  { counter: 'deadlocks', metric: databaseMetrics.deadlocks, seconds: 60 },
  { counter: 'checkpoints', metric: databaseMetrics.checkpoints, seconds: 60 },
  { counter: 'tempBytes', metric: databaseMetrics.temporaryBytes, seconds: 1 },
  { counter: 'walBytes', metric: databaseMetrics.walBytes, seconds: 1 },
  { counter: 'rowsRead', metric: databaseMetrics.rowsRead, seconds: 1 },
  { counter: 'rowsWritten', metric: databaseMetrics.rowsWritten, seconds: 1 },
]

/** Rates since the counters before, by metric; left out where one is missing or went back, for it was reset. */
export function activityRates(
  now: ActivityCounters,
  before: ActivityCounters | undefined,
  passedMs: number,
): Record<string, number> {
  if (before === undefined || passedMs < 500) return {}
  return Object.fromEntries(
    rates.flatMap(({ counter, metric, seconds }) => {
      const [from, to] = [before[counter], now[counter]]
      if (from == null || to == null || to < from) return []
      return [[metric, ((to - from) / passedMs) * 1_000 * seconds]]
    }),
  )
}
