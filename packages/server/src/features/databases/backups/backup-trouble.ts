import { type BackupTrouble, restorableStatuses } from '@bey/contract'
import { and, desc, eq, inArray, isNotNull, isNull, notLike, or } from 'drizzle-orm'

import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { publish } from '../../../platform/live/publish.ts'
import { databaseBackups } from '../../../tables/database-backups.ts'
import { databaseRestores } from '../../../tables/database-restores.ts'
import type { NoticeHealth } from '../../notifications/health-notices.ts'
import { presentDatabase } from '../present.ts'
import { type DatabaseRow, findDatabase, lockDatabase, updateDatabase } from '../store.ts'
import { hasBackupUnderWay } from './backup-rows.ts'
import { findPolicy } from './policy.ts'
import { timesBetween } from './schedule-times.ts'

type Options = { database: Database; clock: Pick<Clock, 'now'>; noticeHealth: NoticeHealth }

/** So often has a schedule come without a backup when it is overdue: once is made up by itself. */
const overdueFrom = 2

/**
 * Notes in a database what of its backups needs attention, and tells the members when that begins and when it is over, which
 * it is as soon as the next backup or drill passed.
 */
export function createTroubleLook({ database, clock, noticeHealth }: Options) {
  return async function lookAtTrouble({ organizationId, id }: DatabaseRow): Promise<void> {
    const isNews = await database.readTenant(organizationId, async (db) => {
      const row = await findDatabase(db, organizationId, id)
      return row !== undefined && isOther(row.backupTrouble, await troubleOf(db, row, clock.now()))
    })
    if (!isNews) return
    await database.withTenant(organizationId, async (db) => {
      const before = await lockDatabase(db, organizationId, id)
      if (before === undefined || before.deletedAt !== null) return
      const trouble = await troubleOf(db, before, clock.now())
      if (!isOther(before.backupTrouble, trouble)) return
      await updateDatabase(db, organizationId, id, { backupTrouble: trouble })
      await publish(db, { organizationId, type: 'DATABASES_UPDATE', data: { databaseId: id } })
      if (trouble !== null && before.backupTrouble?.reason === trouble.reason) return
      const { name } = before
      const { health } = presentDatabase({ ...before, status: 'available', backupTrouble: trouble })
      const subject = { type: 'database', id, name } as const
      const href = `/databases/${id}?tab=backups`
      const to = trouble === null ? 'recovery' : 'trouble'
      await noticeHealth(db, { organizationId, subject, href, to, health })
    })
  }
}

function isOther(before: BackupTrouble | null, now: BackupTrouble | null): boolean {
  return before?.reason !== now?.reason || before?.since !== now?.since
}

async function troubleOf(db: Db, row: DatabaseRow, now: Date): Promise<BackupTrouble | null> {
  const ofDatabase = and(
    eq(databaseBackups.organizationId, row.organizationId),
    eq(databaseBackups.databaseId, row.id),
    isNotNull(databaseBackups.finishedAt),
  )
  // What its operator backs up is told by the operator.
  if (row.provider === 'cnpg') return (await failedDrill(db, row)) ?? null
  return (
    (await failedBackup(db, ofDatabase)) ?? (await failedDrill(db, row)) ?? overdue(db, row, ofDatabase, now)
  )
}

type Condition = ReturnType<typeof and>

/** Of the last one that came to an end; one that was cancelled on purpose is none. */
async function failedBackup(db: Db, ofDatabase: Condition): Promise<BackupTrouble | undefined> {
  const { status, failure, finishedAt } = databaseBackups
  const isTried = or(isNull(failure), and(eq(status, 'failed'), notLike(failure, 'Cancelled by %')))
  const [last] = await db
    .select({ status, failure, finishedAt })
    .from(databaseBackups)
    .where(and(ofDatabase, isTried))
    .orderBy(desc(finishedAt))
    .limit(1)
  if (last?.status !== 'failed' || last.finishedAt === null) return undefined
  return {
    reason: 'BackupFailed',
    detail: `Its last backup failed: ${last.failure ?? 'the cause is not known.'}`,
    since: last.finishedAt.toISOString(),
  }
}

/** Of the last one that proved anything. */
async function failedDrill(db: Db, { organizationId, id }: DatabaseRow): Promise<BackupTrouble | undefined> {
  const { proof, failure, finishedAt } = databaseRestores
  const [last] = await db
    .select({ proof, failure, finishedAt })
    .from(databaseRestores)
    .where(
      and(
        eq(databaseRestores.organizationId, organizationId),
        eq(databaseRestores.databaseId, id),
        eq(databaseRestores.kind, 'drill'),
        inArray(proof, ['passed', 'failed']),
        isNotNull(finishedAt),
      ),
    )
    .orderBy(desc(finishedAt))
    .limit(1)
  if (last?.proof !== 'failed' || last.finishedAt === null) return undefined
  return {
    reason: 'DrillFailed',
    detail: `Its last restore drill failed: ${last.failure ?? 'the cause is not known.'}`,
    since: last.finishedAt.toISOString(),
  }
}

async function overdue(
  db: Db,
  { organizationId, id }: DatabaseRow,
  ofDatabase: Condition,
  now: Date,
): Promise<BackupTrouble | null> {
  const { schedule, updatedAt } = await findPolicy(db, organizationId, id)
  if (schedule === null || updatedAt === null) return null
  if (await hasBackupUnderWay(db, organizationId, id)) return null
  const { status, finishedAt } = databaseBackups
  const [last] = await db
    .select({ finishedAt })
    .from(databaseBackups)
    .where(and(ofDatabase, inArray(status, [...restorableStatuses])))
    .orderBy(desc(finishedAt))
    .limit(1)
  // A schedule that was made later is not asked about the time before it.
  const since = last?.finishedAt != null && last.finishedAt > updatedAt ? last.finishedAt : updatedAt
  const missed = timesBetween(schedule, since, now)
  if (missed < overdueFrom) return null
  const times = missed >= 100 ? 'over 100 times' : `${missed} times`
  return {
    reason: 'BackupOverdue',
    detail: `It was due to be backed up ${times} since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC, and was not.`,
    since: since.toISOString(),
  }
}
