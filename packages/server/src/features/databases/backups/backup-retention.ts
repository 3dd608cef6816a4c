import { expiredBackups, isWalNeeded, type KeptBackup } from '@bey/contract'
import { and, asc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'

import { act, serverItself } from '../../../platform/act.ts'
import { BackupStoreProblem } from '../../../platform/backups/backup-store-problem.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { databaseBackups, databaseWalSegments } from '../../../tables/database-backups.ts'
import { databases } from '../../../tables/databases.ts'
import { databaseTarget } from '../present.ts'
import { findDatabase } from '../store.ts'
import { hasBackupUnderWay, listWalStretches, lockBackup, moveBackup } from './backup-rows.ts'
import type { OpenBackupStore } from './backup-store.ts'
import type { RemoveLeftovers } from './leftovers.ts'
import { findPolicy } from './policy.ts'

type Options = {
  database: Database
  openStore: OpenBackupStore
  removeLeftovers: RemoveLeftovers
  machineId: string
  log: Log
}

const dayMs = 86_400_000
const keptStatuses = ['completed', 'verifying', 'verified', 'verify_failed'] as const
const segmentsAtOnce = 2_000

/**
 * Ends backups and WAL that nothing that was promised needs any more, of the databases of this machine, also of those that
 * were deleted. What a store does not remove now is tried again with the next call.
 */
export function createBackupRetention({ database, openStore, removeLeftovers, machineId, log }: Options) {
  return async function retain(now: Date): Promise<void> {
    const subjects = await database.asSystem('remove old backups', (db) => listSubjects(db, machineId))
    for (const { organizationId, databaseId } of subjects) {
      await retainOf(organizationId, databaseId, now).catch((error: unknown) =>
        log.warn({ err: error, databaseId }, 'Old backups of a database were not removed; tried again later'),
      )
    }
  }

  async function retainOf(organizationId: number, databaseId: string, now: Date): Promise<void> {
    const expired = await database.withTenant(organizationId, (db) =>
      expire(db, organizationId, databaseId, now),
    )
    await removeLeftovers(organizationId, databaseId)
    if (expired.isUnderWay) return
    await removeWal(organizationId, databaseId, expired.kept, expired.pitr)
  }

  async function removeWal(
    organizationId: number,
    databaseId: string,
    kept: readonly KeptBackup[],
    pitr: boolean,
  ): Promise<void> {
    const segments = await database.readTenant(organizationId, (db) =>
      listOldest(db, organizationId, databaseId),
    )
    const old = segments.filter(
      ({ timeline, segment }) =>
        timeline !== null &&
        segment !== null &&
        // WAL is of no use without any base backup.
        (kept.length === 0 || !isWalNeeded({ timeline, number: segment }, kept, { pitr })),
    )
    try {
      for (const { name, targetId, storeKey } of old) {
        // The object first: a row without it is removed by the next call, an object without a row by nobody.
        const store = await openStore(organizationId, targetId)
        await store.remove(storeKey)
        await database.withTenant(organizationId, (db) => deleteSegment(db, organizationId, databaseId, name))
      }
    } catch (error) {
      if (!(error instanceof BackupStoreProblem)) throw error
      log.warn({ err: error, databaseId }, 'Old WAL was not removed from its store; tried again later')
    }
  }
}

/** Moves what has expired on to `deleted`; its object is removed as that of any deleted backup. */
async function expire(db: Db, organizationId: number, databaseId: string, now: Date) {
  const row = await findDatabase(db, organizationId, databaseId)
  const { retentionDays, pitr } = await findPolicy(db, organizationId, databaseId)
  const isUnderWay = await hasBackupUnderWay(db, organizationId, databaseId)
  const all = await listKept(db, organizationId, databaseId)
  const rule = { retentionMs: retentionDays * dayMs, pitr, isDatabaseDeleted: row?.deletedAt != null }
  const wal = await listWalStretches(db, organizationId, databaseId)
  const gone = new Set<string>()
  for (const { id, consistentAtMs } of expiredBackups(all, wal, rule, now.getTime())) {
    const backup = await lockBackup(db, organizationId, id)
    // Somebody may have locked it, or begun to check it, since it was listed.
    if (backup === undefined || backup.isLocked) continue
    const from = backup.status
    if (from !== 'completed' && from !== 'verified' && from !== 'verify_failed') continue
    await moveBackup(db, backup, [from], 'expired')
    await moveBackup(db, backup, ['expired'], 'deleted')
    gone.add(id)
    await act(db, serverItself(organizationId), {
      action: 'database.backup_expire',
      class: 'delete',
      target: databaseTarget({ id: databaseId, name: row?.name ?? '' }),
      diff: { backup: id, consistentAt: new Date(consistentAtMs).toISOString(), retentionDays },
      event: { type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId } },
    })
  }
  return { isUnderWay, pitr, kept: all.filter(({ id }) => !gone.has(id)) }
}

async function listKept(db: Db, organizationId: number, databaseId: string): Promise<KeptBackup[]> {
  const rows = await db
    .select({
      id: databaseBackups.id,
      status: databaseBackups.status,
      timeline: databaseBackups.timeline,
      startSegment: databaseBackups.startSegment,
      stopSegment: databaseBackups.stopSegment,
      consistentAt: databaseBackups.consistentAt,
      finishedAt: databaseBackups.finishedAt,
      isLocked: databaseBackups.isLocked,
    })
    .from(databaseBackups)
    .where(
      and(
        eq(databaseBackups.organizationId, organizationId),
        eq(databaseBackups.databaseId, databaseId),
        eq(databaseBackups.kind, 'full'),
        inArray(databaseBackups.status, [...keptStatuses]),
      ),
    )
  return rows.flatMap(({ timeline, startSegment, stopSegment, consistentAt, finishedAt, ...row }) =>
    timeline === null || startSegment === null || stopSegment === null || !consistentAt || !finishedAt
      ? []
      : [
          {
            ...row,
            timeline,
            startSegment,
            stopSegment,
            consistentAtMs: consistentAt.getTime(),
            finishedAtMs: finishedAt.getTime(),
          },
        ],
  )
}

/** Databases that this machine made and that have something in a store. */
async function listSubjects(db: Db, machineId: string) {
  return db
    .select({ organizationId: databases.organizationId, databaseId: databases.id })
    .from(databases)
    .where(
      and(
        eq(databases.machineId, machineId),
        or(
          sql`exists (select 1 from ${databaseBackups} b where b.database_id = ${databases.id}
            and b.status <> 'deleted')`,
          sql`exists (select 1 from ${databaseWalSegments} w where w.database_id = ${databases.id})`,
        ),
      ),
    )
}

function listOldest(db: Db, organizationId: number, databaseId: string) {
  return db
    .select({
      name: databaseWalSegments.name,
      timeline: databaseWalSegments.timeline,
      segment: databaseWalSegments.segment,
      targetId: databaseWalSegments.targetId,
      storeKey: databaseWalSegments.storeKey,
    })
    .from(databaseWalSegments)
    .where(
      and(
        eq(databaseWalSegments.organizationId, organizationId),
        eq(databaseWalSegments.databaseId, databaseId),
        isNotNull(databaseWalSegments.segment),
      ),
    )
    .orderBy(asc(databaseWalSegments.timeline), asc(databaseWalSegments.segment))
    .limit(segmentsAtOnce)
}

async function deleteSegment(db: Db, organizationId: number, databaseId: string, name: string) {
  await db
    .delete(databaseWalSegments)
    .where(
      and(
        eq(databaseWalSegments.organizationId, organizationId),
        eq(databaseWalSegments.databaseId, databaseId),
        eq(databaseWalSegments.name, name),
      ),
    )
}
