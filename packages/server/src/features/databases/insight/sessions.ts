import { type DatabaseSession, insightLimits } from '@bey/contract'

import { auditedStatement } from '../../../platform/audit/audited-statement.ts'
import type { MonitorClient } from './monitor-connections.ts'

type Row = {
  pid: number
  identity: string | null
  client: string
  username: string | null
  address: string | null
  state: string | null
  wait_type: string | null
  wait: string | null
  lock: string | null
  mode: string | null
  relation: string | null
  waiting_since: Date | null
  blocked_by: number[]
  transaction_started_at: Date | null
  state_since: Date | null
  statement: string | null
  has_changes: boolean
  writes: string[] | null
}

// A row that is waited for has no name of its own: its table is that of the tuple lock which the first waiter holds.
// `waitstart` exists from PostgreSQL 14 on, and is null for the first moment of a wait.
const sessionsSql = `/* bey-monitor */
  with locks as materialized (select * from pg_locks),
  relations as (
    select l.pid, l.granted, l.mode, l.locktype,
      case when l.database = (select oid from pg_database where datname = current_database())
        then (select case when n.nspname = 'public' then c.relname else n.nspname || '.' || c.relname end
                from pg_class c join pg_namespace n on n.oid = c.relnamespace
               where c.oid = l.relation and c.relkind in ('r', 'p', 'm') and n.nspname !~ '^pg_') end as relation
      from locks l where l.locktype in ('relation', 'tuple')
  ),
  sessions as (
    select a.*, case when wait_event_type = 'Lock' or (state is null and exists (
        select from locks l where l.pid = a.pid and not l.granted)) then pg_blocking_pids(a.pid) else '{}' end as blocked_by
      from pg_stat_activity a
     where a.pid <> pg_backend_pid() and a.datname is not null
       and coalesce(a.application_name, '') !~ '^bey-monitor'
  ),
  listed as (
    select * from sessions s
     where s.xact_start is not null or cardinality(s.blocked_by) > 0
        or exists (select from sessions w where s.pid = any (w.blocked_by))
     order by cardinality(s.blocked_by) = 0 and not exists (select from sessions w where s.pid = any (w.blocked_by)),
       s.xact_start
     limit ${insightLimits.sessions}
  )
  select s.pid, (extract(epoch from s.backend_start) * 1000000)::int8::text as identity,
    coalesce(nullif(s.application_name, ''), nullif(s.usename::text, ''), s.backend_type, 'unknown') as client,
    s.usename as username, host(s.client_addr) as address, s.state, s.wait_event_type as wait_type, s.wait_event as wait,
    w.locktype as lock, w.mode,
    (select r.relation from relations r where r.pid = s.pid and (not r.granted or r.locktype = 'tuple')
      and r.relation is not null limit 1) as relation,
    case when cardinality(s.blocked_by) > 0
      then coalesce((to_jsonb(w) ->> 'waitstart')::timestamptz, s.query_start) end as waiting_since,
    s.blocked_by, s.xact_start as transaction_started_at, s.state_change as state_since,
    left(s.query, ${insightLimits.sessionStatement}) as statement, s.backend_xid is not null as has_changes,
    (select array_agg(distinct r.relation) from relations r where r.pid = s.pid and r.granted and r.relation is not null
      and r.locktype = 'relation' and r.mode not in ('AccessShareLock', 'RowShareLock')) as writes
  from listed s left join lateral (select * from locks l where l.pid = s.pid and not l.granted limit 1) w on true
  order by s.xact_start nulls last, s.pid`

const countSql = `/* bey-monitor */
  select count(*) filter (where backend_type = 'client backend' or backend_type is null)::int as total,
    pg_has_role(current_user, 'pg_monitor', 'usage') as is_monitor
  from pg_stat_activity where pid <> pg_backend_pid() and datname is not null
    and coalesce(application_name, '') !~ '^bey-monitor'`

const clientsSql = `/* bey-monitor */
  select case when application_name ~ '^bey-sql ' then 'SQL console of Bey'
    else coalesce(nullif(application_name, ''), nullif(usename::text, ''), 'unknown') end as client,
    count(*)::int as connections
  from pg_stat_activity
  where pid <> pg_backend_pid() and datname is not null and (backend_type = 'client backend' or backend_type is null)
    and coalesce(application_name, '') !~ '^bey-monitor'
  group by 1 order by 2 desc, 1 limit ${insightLimits.clients}`

/** Sessions that wait, hold others up or have a transaction open, the oldest transaction first. */
export async function readSessions({ client }: MonitorClient) {
  const [{ rows }, counted, { rows: clients }] = [
    await client.query<Row>(sessionsSql),
    await client.query<{ total: number; is_monitor: boolean }>(countSql),
    await client.query<{ client: string; connections: number }>(clientsSql),
  ]
  const sessions = rows.map(presentSession)
  const isPrepared = sessions.some(({ blockedBy }) => blockedBy.includes(0))
  return {
    sessions,
    total: counted.rows[0]?.total ?? 0,
    clients,
    notes: [
      counted.rows[0]?.is_monitor === true
        ? undefined
        : 'The user lacks the role pg_monitor: what other users do, since when, and their statements are missing. An administrator of the server can grant it: GRANT pg_monitor TO the user.',
      isPrepared
        ? 'A prepared transaction holds a lock that is waited for. It has no session: end it with COMMIT PREPARED or ROLLBACK PREPARED; pg_prepared_xacts lists it.'
        : undefined,
    ].filter((note) => note !== undefined),
  }
}

function presentSession(row: Row): DatabaseSession {
  const { pid, identity, client, username, address, wait, lock, mode, relation, statement } = row
  const isHidden = row.identity === null
  return {
    pid,
    identity,
    client,
    username,
    address,
    state: isHidden ? null : stateOf(row.state),
    waitType: row.wait_type,
    wait,
    waitsFor: lock === null || mode === null ? null : { lock, mode, relation },
    waitingSince: instant(row.waiting_since),
    blockedBy: row.blocked_by,
    transactionStartedAt: instant(row.transaction_started_at),
    stateSince: instant(row.state_since),
    statement: isHidden || statement === null ? null : auditedStatement(statement.trim()),
    hasChanges: row.has_changes,
    writes: (row.writes ?? []).slice(0, 10),
  }
}

function stateOf(state: string | null): DatabaseSession['state'] {
  if (state === 'active' || state === 'idle') return state
  return state?.startsWith('idle in transaction') === true ? 'idle in transaction' : 'other'
}

const instant = (at: Date | null) => at?.toISOString() ?? null
