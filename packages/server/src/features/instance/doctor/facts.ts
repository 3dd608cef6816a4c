import { statfs } from 'node:fs/promises'

import type { Config } from '../../../config.ts'
import type { KeyServiceFact } from '../../../platform/crypto/check-key-service.ts'
import { readReadOnlyState } from '../../../platform/read-only.ts'

/** Asks the database as its owner, across organizations. */
export type Query = <R extends object>(text: string, values?: unknown[]) => Promise<R[]>

/** What is measured of an instance, as checks and the page take it. */
export type InstanceFacts = Awaited<ReturnType<typeof gatherFacts>>

type Options = {
  query: Query
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'instanceBackup' | 'host' | 'publicUrl' | 'outbound'>
  /** Of the root key that is in use. */
  fingerprint: string
  knownMigrations: readonly number[]
  hasMail: boolean
  /** Null: no key service has the root key, or nobody asks about it. */
  keyService: KeyServiceFact | null
  now: Date
}

type DatabaseRow = {
  version: string
  major: number
  now: Date
  used: number
  max: number
  size: string
  statements: boolean
}
type Queues = {
  runs: number
  runs_oldest: number | null
  active_runs: number
  mails: number
  mails_oldest: number | null
  deliveries: number
  deliveries_oldest: number | null
}

/** Measures the machine and asks the database. Whatever cannot be had throws: a check without facts is none. */
export async function gatherFacts({
  query,
  config,
  fingerprint,
  knownMigrations,
  hasMail,
  keyService,
  now,
}: Options) {
  const askedAt = performance.now()
  const [database] = await query<DatabaseRow>(
    `select current_setting('server_version') as version,
       current_setting('server_version_num')::int / 10000 as major, clock_timestamp() as now,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
       pg_database_size(current_database())::text as size,
       exists (select 1 from pg_extension where extname = 'pg_stat_statements')
         and current_setting('shared_preload_libraries') ~ '\\mpg_stat_statements\\M' as statements`,
  )
  const answeredMs = performance.now() - askedAt
  if (database === undefined) throw new Error('PostgreSQL did not describe itself')
  const disk = await statfs(config.dataDir)
  const applied = await query<{ at: string }>('select created_at as at from drizzle.__drizzle_migrations')
  const [key] = await query<{ fingerprint: string | null }>(
    `select public_pem as fingerprint from server_keys where name = 'root-key-check'`,
  )
  const [certificate] = await query<{ at: Date | null }>(
    `select min(at) as at from (
       select max(expires_at) as at from server_keys where name like 'https-leaf:%'
       union all select expires_at from server_keys where name = 'https-ca') held`,
  )
  const [queues] = await query<Queues>(
    `select (select count(*)::int from workflow_runs where finished_at is null and status = 'queued') as runs,
       (select extract(epoch from now() - min(queued_at))::float8 from workflow_runs
         where finished_at is null and status = 'queued') as runs_oldest,
       (select count(*)::int from workflow_runs where finished_at is null and status = 'running') as active_runs,
       (select count(*)::int from mail_outbox where ended_at is null) as mails,
       (select extract(epoch from now() - min(next_at))::float8 from mail_outbox
         where ended_at is null and next_at <= now()) as mails_oldest,
       (select count(*)::int from webhook_deliveries where status in ('pending', 'sending', 'retrying')) as deliveries,
       (select extract(epoch from now() - min(next_at))::float8 from webhook_deliveries
         where status in ('pending', 'retrying') and next_at <= now()) as deliveries_oldest`,
  )
  if (queues === undefined) throw new Error('The queues were not counted')
  const processes = await query<{ name: string; role: 'all' | 'worker'; startedAt: Date; maxRuns: number }>(
    `select executor_id as name, role, started_at as "startedAt", max_runs as "maxRuns" from processes
     where heartbeat_at > now() - interval '10 seconds' order by started_at limit 100`,
  )
  const peers = await livingPeers(query)
  const [counts] = await query<{ organizations: number; people: number }>(
    `select (select count(*)::int from organizations) as organizations, (select count(*)::int from users) as people`,
  )
  const tables = await query<{ name: string; sizeBytes: number; rows: number }>(
    `select coalesce(p.relname, s.relname) as name, sum(pg_total_relation_size(s.relid))::float8 as "sizeBytes",
       sum(s.n_live_tup)::float8 as rows
     from pg_stat_user_tables s left join pg_inherits i on i.inhrelid = s.relid
       left join pg_class p on p.oid = i.inhparent
     group by 1 order by 2 desc limit 10`,
  )
  return {
    checkedAt: now,
    database: {
      version: database.version.split(' ')[0] ?? database.version,
      major: database.major,
      isEmbedded: config.databaseUrl === undefined,
      sizeBytes: Number(database.size),
      usedConnections: database.used,
      maxConnections: database.max,
      tables,
    },
    /** How far the clock of the database is from this machine's, in ms; the way there and back is not told apart. */
    clockMs: Math.max(0, Math.abs(database.now.getTime() - now.getTime()) - answeredMs),
    disk: { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize, path: config.dataDir },
    migrations: {
      missing: knownMigrations.filter((time) => !applied.some(({ at }) => Number(at) === time)).length,
      unknown: applied.filter(({ at }) => Number(at) > Math.max(...knownMigrations)).length,
    },
    rootKey: { fingerprint, ofDatabase: key?.fingerprint ?? null },
    keyService,
    certificateEndsAt: certificate?.at ?? null,
    readOnly: (await readReadOnlyState(query)) ?? null,
    queues,
    processes,
    /** Processes that share watches, and which others each of them does not reach. */
    peers,
    counts: { organizations: counts?.organizations ?? 0, people: counts?.people ?? 0 },
    statements: database.statements ? await slowStatements(query) : null,
    backups: {
      place: config.instanceBackup.to ?? null,
      schedule: config.instanceBackup.schedule ?? null,
      drillSchedule: config.instanceBackup.drillSchedule ?? null,
    },
    settings: {
      host: config.host,
      publicUrl: config.publicUrl,
      outbound: config.outbound,
      hasMail,
    },
  }
}

/** None where the table is missing, which the check of migrations says. */
async function livingPeers(query: Query): Promise<{ address: string; unreachable: string[] }[]> {
  const [found] = await query<{ isThere: boolean }>(`select to_regclass('peers') is not null as "isThere"`)
  if (found?.isThere !== true) return []
  return query(
    `select address, unreachable from peers where heartbeat_at > now() - interval '10 seconds'
     order by address limit 100`,
  )
}

async function slowStatements(query: Query) {
  return query<{ text: string; calls: number; meanMs: number; share: number }>(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 200) as text, calls::float8 as calls,
       mean_exec_time as "meanMs",
       (total_exec_time / nullif(sum(total_exec_time) over (), 0))::float8 as share
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
     order by total_exec_time desc limit 5`,
  )
}
