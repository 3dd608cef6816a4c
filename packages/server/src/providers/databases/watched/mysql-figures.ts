import { oldestEngines } from '@bey/contract'

import type { ExternalTarget, WatchedReading } from '../../../features/databases/provider.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'

/** Asks one question; values go into `values`. */
export type AskMysql = <R extends object>(sql: string, values?: readonly unknown[]) => Promise<R[]>

const variables = [
  'version',
  'version_comment',
  'max_connections',
  'read_only',
  'super_read_only',
  'innodb_read_only',
  'aurora_version',
]
const counters = [
  'Uptime',
  'Threads_connected',
  'Questions',
  'Innodb_buffer_pool_read_requests',
  'Innodb_buffer_pool_reads',
  'Innodb_rows_read',
  'Innodb_rows_inserted',
  'Innodb_rows_updated',
  'Innodb_rows_deleted',
  // MariaDB counts rows for all its engines.
  'Rows_read',
  'Handler_write',
  'Handler_update',
  'Handler_delete',
  'Innodb_deadlocks',
  'Innodb_os_log_written',
]

type Session = {
  active: string | number
  idle: string | number
  waiting: string | number
  longest: string | number | null
}
type Transactions = {
  waiting: string | number
  wait_ms: string | number | null
  idle: string | number
  idle_ms: string | number | null
}

/** What a server of MySQL or MariaDB says of itself and of the database. Throws ConnectionProblem for one too old. */
export async function readMysql(
  ask: AskMysql,
  target: ExternalTarget,
  at: Date,
): Promise<Omit<WatchedReading, 'ownStatements'>> {
  const set = await valuesOf(ask, 'variables', variables)
  const { engine, version } = versionOf(set.get('version') ?? '')
  const status = await valuesOf(ask, 'status', counters)
  const count = (name: string) => (status.has(name) ? Number(status.get(name)) : null)
  const [size] = await ask<{ bytes: string | number | null }>(
    `select sum(data_length + index_length) as bytes from information_schema.tables where table_schema = ?`,
    [target.databaseName],
  )
  const seesOthers = await seesAll(ask)
  const [sessions] = seesOthers ? await ask<Session>(sessionsSql) : []
  const [transactions] = seesOthers ? await ask<Transactions>(transactionsSql) : []
  const idleInTransaction = orNull(transactions?.idle)
  const waiting = sessions && transactions ? Number(sessions.waiting) + Number(transactions.waiting) : null
  const reads = count('Innodb_buffer_pool_reads') ?? 0
  const written = ['inserted', 'updated', 'deleted'].map((what) => count(`Innodb_rows_${what}`))
  const handled = ['write', 'update', 'delete'].map((what) => count(`Handler_${what}`))
  return {
    engine,
    version,
    notes: notesOf(set, seesOthers, target),
    figures: {
      sizeBytes: Number(size?.bytes ?? 0),
      sizeLimitBytes: null,
      maxConnections: Number(set.get('max_connections') ?? 0),
      // Without the connection that asks.
      connections: Math.max(0, (count('Threads_connected') ?? 1) - 1),
      active: orNull(sessions?.active),
      idle: sessions ? Math.max(0, Number(sessions.idle) - (idleInTransaction ?? 0)) : null,
      idleInTransaction,
      waiting,
      startedAt: new Date(at.getTime() - (count('Uptime') ?? 0) * 1_000).toISOString(),
      longestQueryMs: orNull(sessions?.longest),
      longestLockWaitMs: orNull(transactions?.wait_ms),
      longestIdleInTransactionMs: orNull(transactions?.idle_ms),
    },
    counters: {
      commits: 0,
      rollbacks: 0,
      hits: Math.max(0, (count('Innodb_buffer_pool_read_requests') ?? 0) - reads),
      reads,
      statements: count('Questions') ?? 0,
      rowsRead: count('Innodb_rows_read') ?? count('Rows_read'),
      rowsWritten: sumOf(written) ?? sumOf(handled),
      deadlocks: count('Innodb_deadlocks'),
      walBytes: count('Innodb_os_log_written'),
    },
  }
}

const orNull = (value: string | number | null | undefined) => (value == null ? null : Number(value))

/** Null where one of them is not known. */
const sumOf = (counts: readonly (number | null)[]) =>
  counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0)

async function valuesOf(
  ask: AskMysql,
  what: 'variables' | 'status',
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await ask<{ Variable_name: string; Value: string }>(
    `show global ${what} where variable_name in (?)`,
    [names],
  )
  return new Map(rows.map(({ Variable_name: name, Value: value }) => [name, value]))
}

// Threads of the server itself, and those that feed replicas, are no sessions of clients.
const sessionsSql = `
  select coalesce(sum(command <> 'Sleep'), 0) as active, coalesce(sum(command = 'Sleep'), 0) as idle,
    coalesce(sum(state like 'Waiting for % lock'), 0) as waiting,
    max(case when command in ('Query', 'Execute') then time * 1000 end) as longest
  from information_schema.processlist
  where id <> connection_id() and command not in ('Daemon', 'Binlog Dump', 'Binlog Dump GTID', 'Slave_IO', 'Slave_SQL')
    and user not in ('system user', 'event_scheduler')`

const transactionsSql = `
  select coalesce(sum(t.trx_state = 'LOCK WAIT'), 0) as waiting,
    max(timestampdiff(microsecond, t.trx_wait_started, now(6)) / 1000) as wait_ms,
    coalesce(sum(p.command = 'Sleep'), 0) as idle, max(case when p.command = 'Sleep' then p.time * 1000 end) as idle_ms
  from information_schema.innodb_trx t join information_schema.processlist p on p.id = t.trx_mysql_thread_id
  where p.id <> connection_id()`

/** Whether the user sees the sessions of others, by the grants that it has. */
async function seesAll(ask: AskMysql): Promise<boolean> {
  const grants = await ask<Record<string, string>>('show grants')
  return grants
    .flatMap((row) => Object.values(row))
    .some((grant) => /^GRANT (ALL PRIVILEGES|[^`']*\bPROCESS\b)[^`']* ON \*\.\* TO/i.test(grant))
}

function versionOf(text: string): { engine: 'mysql' | 'mariadb'; version: string } {
  const engine = /mariadb/i.test(text) ? 'mariadb' : 'mysql'
  const version = /^\d+\.\d+(\.\d+)?/.exec(text)?.[0] ?? text
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const oldest = oldestEngines[engine]
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number)
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    const label = engine === 'mariadb' ? 'MariaDB' : 'MySQL'
    throw new ConnectionProblem(
      `The server is ${label} ${version}. Bey looks after ${label} ${oldest} and newer: upgrade it first.`,
    )
  }
  return { engine, version }
}

function notesOf(
  set: ReadonlyMap<string, string>,
  seesOthers: boolean,
  { username }: ExternalTarget,
): string[] {
  const isOn = (name: string) => /^(on|1|yes)$/i.test(set.get(name) ?? '')
  return [
    ['read_only', 'super_read_only', 'innodb_read_only'].some(isOn)
      ? 'The server is read only, as replicas are: it can be read, and refuses to be changed.'
      : undefined,
    /proxysql|maxscale/i.test(set.get('version_comment') ?? '')
      ? 'A proxy such as ProxySQL is in between: sessions that Bey sees belong to it.'
      : undefined,
    set.has('aurora_version')
      ? 'The server is Amazon Aurora: figures are of the instance that answers.'
      : undefined,
    seesOthers
      ? undefined
      : `The user "${username}" lacks the privilege PROCESS, so Bey does not see what other sessions do: GRANT PROCESS ON *.* TO that user.`,
  ].filter((note) => note !== undefined)
}
