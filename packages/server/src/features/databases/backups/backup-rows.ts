import { type BackupStatus, backupMoves, restorableStatuses, type WalStretch } from '@bey/contract'
import { and, desc, eq, inArray, ne, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { walkMoves } from '../../../platform/moves.ts'
import { databaseBackups } from '../../../tables/database-backups.ts'
import { users } from '../../../tables/users.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'

const columns = {
  id: databaseBackups.id,
  organizationId: databaseBackups.organizationId,
  databaseId: databaseBackups.databaseId,
  kind: databaseBackups.kind,
  trigger: databaseBackups.trigger,
  status: databaseBackups.status,
  failure: databaseBackups.failure,
  targetId: databaseBackups.targetId,
  place: databaseBackups.place,
  storeKey: databaseBackups.storeKey,
  sizeBytes: databaseBackups.sizeBytes,
  storedBytes: databaseBackups.storedBytes,
  sha256: databaseBackups.sha256,
  startLsn: databaseBackups.startLsn,
  stopLsn: databaseBackups.stopLsn,
  timeline: databaseBackups.timeline,
  startSegment: databaseBackups.startSegment,
  stopSegment: databaseBackups.stopSegment,
  version: databaseBackups.version,
  startedAt: databaseBackups.startedAt,
  consistentAt: databaseBackups.consistentAt,
  finishedAt: databaseBackups.finishedAt,
  expiresAt: databaseBackups.expiresAt,
  isLocked: databaseBackups.isLocked,
  lastVerifiedAt: databaseBackups.lastVerifiedAt,
  rtoMs: databaseBackups.rtoMs,
  runId: databaseBackups.runId,
  workflowId: workflowRuns.workflowId,
  createdBy: databaseBackups.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: databaseBackups.createdAt,
}

export type BackupRow = Awaited<ReturnType<typeof findBackup>> & {}

const selectBackups = (db: Db) =>
  db
    .select(columns)
    .from(databaseBackups)
    .leftJoin(users, eq(users.id, databaseBackups.createdBy))
    .leftJoin(workflowRuns, eq(workflowRuns.id, databaseBackups.runId))

const byId = (organizationId: number, id: string) =>
  and(eq(databaseBackups.organizationId, organizationId), eq(databaseBackups.id, id))

const ofDatabase = (organizationId: number, databaseId: string) =>
  and(eq(databaseBackups.organizationId, organizationId), eq(databaseBackups.databaseId, databaseId))

export async function findBackup(db: Db, organizationId: number, id: string) {
  const [row] = await selectBackups(db).where(byId(organizationId, id))
  return row
}

/** Keeps the row from being changed by others until the transaction ends. */
export async function lockBackup(db: Db, organizationId: number, id: string): Promise<BackupRow | undefined> {
  const [row] = await selectBackups(db).where(byId(organizationId, id)).for('update', { of: databaseBackups })
  return row
}

type Page = { page: number; limit: number; status?: BackupStatus | undefined }

/** Backups of a database, the newest first; deleted ones only where that status is asked for. */
export async function listBackups(db: Db, organizationId: number, databaseId: string, query: Page) {
  const { status, page, limit } = query
  const condition = and(
    ofDatabase(organizationId, databaseId),
    status === undefined ? ne(databaseBackups.status, 'deleted') : eq(databaseBackups.status, status),
  )
  const rows = await selectBackups(db)
    .where(condition)
    .orderBy(desc(databaseBackups.id))
    .limit(limit)
    .offset((page - 1) * limit)
  return { rows, total: await db.$count(databaseBackups, condition) }
}

export async function summarizeBackups(db: Db, organizationId: number, databaseId: string) {
  const [row] = await db
    .select({
      total: sql<number>`count(*)::int`,
      storedBytes: sql<number>`coalesce(sum(${databaseBackups.storedBytes}), 0)::float8`,
    })
    .from(databaseBackups)
    .where(and(ofDatabase(organizationId, databaseId), ne(databaseBackups.status, 'deleted')))
  return row ?? { total: 0, storedBytes: 0 }
}

/** Base backups that can be restored from, as the recoverable window counts them. */
export async function listBaseBackups(db: Db, organizationId: number, databaseId: string) {
  const rows = await selectBackups(db).where(
    and(
      ofDatabase(organizationId, databaseId),
      eq(databaseBackups.kind, 'full'),
      inArray(databaseBackups.status, [...restorableStatuses]),
    ),
  )
  return rows.flatMap((row) => {
    const { timeline, startSegment, stopSegment, consistentAt } = row
    if (timeline === null || startSegment === null || stopSegment === null || consistentAt === null) return []
    return [{ ...row, timeline, startSegment, stopSegment, consistentAtMs: consistentAt.getTime() }]
  })
}

/** Segments in the store that follow each other without a gap. */
export async function listWalStretches(
  db: Db,
  organizationId: number,
  databaseId: string,
): Promise<WalStretch[]> {
  const { rows } = await db.execute<{ timeline: number; first: string; last: string; until_ms: number }>(sql`
    select timeline, min(segment)::text as first, max(segment)::text as last,
      extract(epoch from max(until_at)) * 1000 as until_ms
    from (
      select timeline, segment, until_at,
        segment - row_number() over (partition by timeline order by segment) as island
      from database_wal_segments
      where organization_id = ${organizationId} and database_id = ${databaseId} and segment is not null
    ) numbered
    group by timeline, island
    order by timeline, min(segment)`)
  return rows.map(({ timeline, first, last, until_ms }) => ({
    timeline,
    first: Number(first),
    last: Number(last),
    untilMs: Math.floor(Number(until_ms)),
  }))
}

type Change = Omit<Partial<typeof databaseBackups.$inferInsert>, 'status'>

export async function updateBackup(
  db: Db,
  organizationId: number,
  id: string,
  values: Change,
): Promise<void> {
  await db.update(databaseBackups).set(values).where(byId(organizationId, id))
}

/** Moves a backup whose status is one of these; true if it did. Throws IllegalMove for a move that is not in the table. */
export async function moveBackup(
  db: Db,
  { organizationId, id }: { organizationId: number; id: string },
  from: readonly BackupStatus[],
  to: BackupStatus,
  values: Change = {},
): Promise<boolean> {
  for (const each of from) if (each !== to) walkMoves('backup', backupMoves, each, [to])
  const rows = await db
    .update(databaseBackups)
    .set({ ...values, status: to })
    .where(and(byId(organizationId, id), inArray(databaseBackups.status, [...from])))
    .returning({ id: databaseBackups.id })
  return rows.length > 0
}

export async function hasBackupUnderWay(
  db: Db,
  organizationId: number,
  databaseId: string,
): Promise<boolean> {
  const condition = and(
    ofDatabase(organizationId, databaseId),
    inArray(databaseBackups.status, ['pending', 'running', 'finalizing']),
  )
  return (await db.$count(databaseBackups, condition)) > 0
}
