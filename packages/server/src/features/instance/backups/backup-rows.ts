import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'

import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { instanceBackups } from '../../../tables/instance-backups.ts'
import type { DrillResult, MadeBackup } from './runner.ts'

export type InstanceBackupRow = typeof instanceBackups.$inferSelect

const maxListed = 100

/** All of these need `asSystem`. The newest first. */
export function listBackups(db: Db): Promise<InstanceBackupRow[]> {
  return db
    .select()
    .from(instanceBackups)
    .orderBy(desc(instanceBackups.startedAt), desc(instanceBackups.id))
    .limit(maxListed)
}

export async function beginBackup(db: Db, place: string, now: Date): Promise<string> {
  const id = uuidv7(now.getTime())
  await db
    .insert(instanceBackups)
    .values({ id, trigger: 'schedule', status: 'running', place, startedAt: now })
  return id
}

export async function completeBackup(db: Db, id: string, made: MadeBackup, now: Date): Promise<void> {
  await db
    .update(instanceBackups)
    .set({ ...made, status: 'completed', finishedAt: now })
    .where(eq(instanceBackups.id, id))
}

export async function failBackup(db: Db, id: string, error: string, now: Date): Promise<void> {
  await db
    .update(instanceBackups)
    .set({ status: 'failed', error, finishedAt: now })
    .where(eq(instanceBackups.id, id))
}

/** Fails the backups that a process that is gone had begun. Call it under the lock that every scheduled backup is made under. */
export async function failInterrupted(db: Db, now: Date): Promise<void> {
  await db
    .update(instanceBackups)
    .set({
      status: 'failed',
      error: 'Bey ended before the backup was complete, or was itself restored from it.',
      finishedAt: now,
    })
    .where(eq(instanceBackups.status, 'running'))
}

/** When the last scheduled backup was begun. */
export async function lastScheduled(db: Db): Promise<Date | undefined> {
  const [row] = await db
    .select({ startedAt: instanceBackups.startedAt })
    .from(instanceBackups)
    .where(eq(instanceBackups.trigger, 'schedule'))
    .orderBy(desc(instanceBackups.startedAt))
    .limit(1)
  return row?.startedAt
}

const kept = and(eq(instanceBackups.status, 'completed'), isNull(instanceBackups.removedAt))

export async function newestKept(db: Db): Promise<InstanceBackupRow | undefined> {
  const [row] = await db
    .select()
    .from(instanceBackups)
    .where(kept)
    .orderBy(desc(instanceBackups.startedAt))
    .limit(1)
  return row
}

/** The newest backup that a drill proved: retention leaves it until another one is. */
export async function newestProved(db: Db): Promise<InstanceBackupRow | undefined> {
  const [row] = await db
    .select()
    .from(instanceBackups)
    .where(and(kept, eq(instanceBackups.drillOutcome, 'proved')))
    .orderBy(desc(instanceBackups.startedAt))
    .limit(1)
  return row
}

export async function lastDrilled(db: Db): Promise<Date | undefined> {
  const [row] = await db
    .select({ at: instanceBackups.drilledAt })
    .from(instanceBackups)
    .where(isNotNull(instanceBackups.drilledAt))
    .orderBy(desc(instanceBackups.drilledAt))
    .limit(1)
  return row?.at ?? undefined
}

export async function recordDrill(
  db: Db,
  id: string,
  { outcome, rows, secrets, problems }: DrillResult,
  { at, ms }: { at: Date; ms: number },
): Promise<void> {
  await db
    .update(instanceBackups)
    .set({
      drillOutcome: outcome,
      drilledAt: at,
      drillMs: Math.round(ms),
      drillRows: rows,
      drillSecrets: secrets,
      drillProblems: problems,
    })
    .where(eq(instanceBackups.id, id))
}

export async function markRemoved(db: Db, backupIds: readonly string[], now: Date): Promise<void> {
  if (backupIds.length === 0) return
  await db
    .update(instanceBackups)
    .set({ removedAt: now })
    .where(inArray(instanceBackups.backupId, [...backupIds]))
}

/** Deletes rows of backups that ended a year ago and are kept no more. */
export async function deleteOldRows(db: Db, now: Date): Promise<void> {
  await db
    .delete(instanceBackups)
    .where(
      and(
        sql`${instanceBackups.startedAt} < ${now.toISOString()}::timestamptz - interval '1 year'`,
        sql`(${instanceBackups.status} = 'failed' or ${instanceBackups.removedAt} is not null)`,
      ),
    )
}
