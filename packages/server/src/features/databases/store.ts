import {
  backupLimits,
  type Database,
  databaseMoves,
  type DatabaseStatus,
  healthMoveAfterMs,
} from '@bey/contract'
import { and, asc, desc, eq, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { walkMoves } from '../../platform/moves.ts'
import { clusters } from '../../tables/clusters.ts'
import { databases } from '../../tables/databases.ts'
import { secrets } from '../../tables/secrets.ts'
import { users } from '../../tables/users.ts'
import { workflowRuns } from '../../tables/workflow-runs.ts'
import { workflows } from '../../tables/workflows.ts'

const columns = {
  id: databases.id,
  organizationId: databases.organizationId,
  name: databases.name,
  description: databases.description,
  engine: databases.engine,
  provider: databases.provider,
  plan: databases.plan,
  status: databases.status,
  statusSince: databases.statusSince,
  reason: databases.reason,
  version: databases.version,
  host: databases.host,
  port: databases.port,
  databaseName: databases.databaseName,
  username: databases.username,
  tls: databases.tls,
  caPem: databases.caPem,
  credentialSecretId: databases.credentialSecretId,
  credentialVersion: databases.credentialVersion,
  secretName: secrets.name,
  machineId: databases.machineId,
  dir: databases.dir,
  allowList: databases.allowList,
  networkAccess: databases.networkAccess,
  clusterId: databases.clusterId,
  clusterTitle: clusters.title,
  cnpg: databases.cnpg,
  notes: databases.notes,
  backupTrouble: databases.backupTrouble,
  diskQuota: databases.diskQuota,
  figures: databases.figures,
  restartedAt: databases.restartedAt,
  restartReason: databases.restartReason,
  restoredFrom: sql<{ id: string; name: string; at: string } | null>`(
    select json_build_object('id', source.id, 'name', source.name,
      'at', coalesce(r.target_time, b.consistent_at, r.created_at))
    from database_restores r join databases source on source.id = r.database_id
    left join database_backups b on b.id = r.backup_id
    where r.new_database_id = ${databases.id} and r.kind = 'restore' and r.status = 'completed'
    order by r.id desc limit 1)`,
  isProtected: databases.isProtected,
  drills: sql<Database['drills']>`(select coalesce(json_agg(json_build_object(
      'id', d.id, 'at', to_json(d.finished_at at time zone 'utc') #>> '{}' || 'Z', 'proof', d.proof) order by d.id), '[]')
    from (select r.id, r.finished_at, r.proof from database_restores r
      where r.organization_id = ${databases.organizationId} and r.database_id = ${databases.id} and r.kind = 'drill'
        and r.proof is not null and r.finished_at is not null
      order by r.id desc limit ${backupLimits.shownDrills}) d)`,
  lastRunId: databases.lastRunId,
  lastWorkflowId: workflowRuns.workflowId,
  createdBy: databases.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: databases.createdAt,
  updatedAt: databases.updatedAt,
  deletedAt: databases.deletedAt,
}

export type DatabaseRow = Awaited<ReturnType<typeof findDatabase>> & {}

export function selectDatabases(db: Db, organizationId: number, condition: SQL | undefined) {
  return db
    .select(columns)
    .from(databases)
    .leftJoin(users, eq(users.id, databases.createdBy))
    .leftJoin(clusters, eq(clusters.id, databases.clusterId))
    .leftJoin(secrets, eq(secrets.id, databases.credentialSecretId))
    .leftJoin(workflowRuns, eq(workflowRuns.id, databases.lastRunId))
    .where(and(eq(databases.organizationId, organizationId), condition))
    .$dynamic()
}

const byId = (organizationId: number, id: string) =>
  and(eq(databases.organizationId, organizationId), eq(databases.id, id))

export async function findDatabase(db: Db, organizationId: number, id: string) {
  const [row] = await selectDatabases(db, organizationId, eq(databases.id, id))
  return row
}

/** Databases that Bey runs: those named, and those that a network limits. */
export function listByNetwork(db: Db, organizationId: number, networkId: string, ids: readonly string[]) {
  return selectDatabases(
    db,
    organizationId,
    and(
      eq(databases.provider, 'embedded'),
      isNull(databases.deletedAt),
      or(inArray(databases.id, [...ids]), sql`${databases.networkAccess} ->> 'networkId' = ${networkId}`),
    ),
  ).orderBy(asc(databases.name))
}

/** Keeps the row from being changed by others until the transaction ends. */
export async function lockDatabase(
  db: Db,
  organizationId: number,
  id: string,
): Promise<DatabaseRow | undefined> {
  const [row] = await selectDatabases(db, organizationId, eq(databases.id, id)).for('update', {
    of: databases,
  })
  return row
}

type Values = typeof databases.$inferInsert
type Change = Omit<Partial<Values>, 'status' | 'statusSince'>

export async function insertDatabase(db: Db, values: Values): Promise<void> {
  await db.insert(databases).values(values)
}

export function countDatabases(db: Db, organizationId: number): Promise<number> {
  return db.$count(databases, and(eq(databases.organizationId, organizationId), isNull(databases.deletedAt)))
}

/** Changes whatever does not belong to its status. */
export async function updateDatabase(
  db: Db,
  organizationId: number,
  id: string,
  values: Change,
): Promise<void> {
  await db
    .update(databases)
    .set({ ...values, rowVersion: sql`${databases.rowVersion} + 1` })
    .where(byId(organizationId, id))
}

/**
 * Moves a database whose status is one of these, and where `runId` is given as long as that run is its newest; true if
 * it did. Throws IllegalMove when the table of legal moves does not lead from each of them to the new status.
 */
export async function moveDatabase(
  db: Db,
  database: { organizationId: number; id: string; runId?: string },
  from: readonly DatabaseStatus[],
  to: DatabaseStatus,
  values: Change,
  at: Date,
): Promise<boolean> {
  for (const each of from) if (each !== to) walkMoves('database', databaseMoves, each, [to])
  const { organizationId, id, runId } = database
  const rows = await db
    .update(databases)
    .set({ ...values, status: to, statusSince: at, rowVersion: sql`${databases.rowVersion} + 1` })
    .where(
      and(
        byId(organizationId, id),
        inArray(databases.status, [...from]),
        runId === undefined ? undefined : eq(databases.lastRunId, runId),
      ),
    )
    .returning({ id: databases.id })
  return rows.length > 0
}

/**
 * Locks the runs on a database that are not over, until the transaction ends. Before the row itself: the end of a run
 * locks the run first and then moves its database.
 */
export async function lockOpenRuns(db: Db, organizationId: number, id: string): Promise<void> {
  await db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .where(
      and(
        eq(workflowRuns.organizationId, organizationId),
        eq(workflowRuns.subjectType, 'database'),
        eq(workflowRuns.subjectId, id),
        isNull(workflowRuns.finishedAt),
      ),
    )
    .orderBy(asc(workflowRuns.id))
    .for('update')
}

/** What the last run that created a database was given to set it up with. */
export async function findCreationInput(
  db: Db,
  organizationId: number,
  id: string,
): Promise<Record<string, unknown>> {
  const [found] = await db
    .select({ settings: sql<unknown>`${workflowRuns.input} -> 'settings'` })
    .from(workflowRuns)
    .where(
      and(
        eq(workflowRuns.organizationId, organizationId),
        eq(workflowRuns.subjectType, 'database'),
        eq(workflowRuns.subjectId, id),
        sql`${workflowRuns.input} ? 'settings'`,
      ),
    )
    .orderBy(desc(workflowRuns.id))
    .limit(1)
  return found ? { settings: found.settings } : {}
}

/** Runs on a database that are not over, the oldest first. */
export function listOpenRuns(db: Db, organizationId: number, id: string) {
  return db
    .select({
      workflowId: workflowRuns.workflowId,
      runId: workflowRuns.id,
      name: workflows.name,
      status: workflowRuns.status,
    })
    .from(workflowRuns)
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .where(
      and(
        eq(workflowRuns.organizationId, organizationId),
        eq(workflowRuns.subjectType, 'database'),
        eq(workflowRuns.subjectId, id),
        isNull(workflowRuns.finishedAt),
      ),
    )
    .orderBy(asc(workflowRuns.queuedAt))
    .limit(20)
}

/**
 * Databases whose turn it is to be looked at, in any organization; each gets its next turn with that. Those that run on
 * another machine belong to the processes there, as long as one lives.
 */
export async function claimDue(db: Db, machineId: string, now: Date, next: Date, limit: number) {
  const { rows } = await db.execute<{ id: string; organization_id: number }>(sql`
    update databases d set check_at = ${next.toISOString()}::timestamptz
    from (
      select id from databases
      where deleted_at is null and check_at <= ${now.toISOString()}::timestamptz
        and (status in ('available', 'degraded', 'connecting', 'unreachable')
          or provider = 'cnpg'
            and status in ('updating', 'restarting', 'scaling', 'failing_over', 'hibernating', 'hibernated', 'resuming'))
        and (machine_id is null or machine_id = ${machineId}
          or not exists (select 1 from processes p where p.machine_id = databases.machine_id))
      order by check_at limit ${limit} for update skip locked
    ) due
    where d.id = due.id
    returning d.id, d.organization_id`)
  return rows.map((row) => ({ id: row.id, organizationId: row.organization_id }))
}

/**
 * True if the members are to be told now that this database is in trouble or has recovered: the state has lasted long
 * enough, and they were not told of it yet. A healthy start is no news.
 */
export async function announceHealth(
  db: Db,
  organizationId: number,
  id: string,
  now: Date,
): Promise<'trouble' | 'recovery' | undefined> {
  const { rows } = await db.execute<{ announced: 'trouble' | 'recovery' }>(sql`
    update databases set announced = case status when 'available' then 'recovery' else 'trouble' end
    where organization_id = ${organizationId} and id = ${id} and status_since <= ${now.toISOString()}::timestamptz - make_interval(secs => ${healthMoveAfterMs / 1_000})
      and ((status = 'available' and announced = 'trouble')
        or (status in ('degraded', 'unreachable') and announced is distinct from 'trouble'))
    returning announced`)
  return rows[0]?.announced
}

/** Whose database it is. */
export async function findOwner(db: Db, id: string): Promise<number | undefined> {
  const [row] = await db
    .select({ organizationId: databases.organizationId })
    .from(databases)
    .where(eq(databases.id, id))
  return row?.organizationId
}

/** Whether another database has the same secret, as two have after a swap. */
export async function isSecretOfOther(
  db: Db,
  organizationId: number,
  secretId: string,
  id: string,
): Promise<boolean> {
  const others = and(
    eq(databases.organizationId, organizationId),
    eq(databases.credentialSecretId, secretId),
    isNull(databases.deletedAt),
    ne(databases.id, id),
  )
  return (await db.$count(databases, others)) > 0
}
