import { serverItself } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { publish } from '../../../platform/live/publish.ts'
import type { DatabaseParts } from '../parts.ts'
import { type DatabaseRow, lockDatabase } from '../store.ts'
import { startBackup } from './backup-acts.ts'
import { type BackupPolicy, findPolicy, updateSchedules } from './policy.ts'
import { startDrill } from './start-drill.ts'
import { nextTime, timesBetween } from './schedule-times.ts'

/** A schedule that begins later than this was missed: Bey or the database was not running. */
const lateMs = 10 * 60_000

type Due = { cron: string; dueAt: Date }
type Kind = 'backup' | 'drill'

/**
 * Begins what the policy of a database has due. Where several times were missed it is made up once. Why it was late or was
 * not made is noted in the policy.
 */
export function createSchedules(parts: Pick<DatabaseParts, 'database' | 'clock' | 'workflows'>) {
  const { database, clock } = parts

  return async function lookAtSchedules({ organizationId, id }: DatabaseRow): Promise<void> {
    const policy = await database.readTenant(organizationId, (db) => findPolicy(db, organizationId, id))
    for (const kind of ['backup', 'drill'] as const) {
      if (dueOf(policy, kind, clock.now()) !== undefined) await beginDue(organizationId, id, kind)
    }
  }

  async function beginDue(organizationId: number, id: string, kind: Kind): Promise<void> {
    await database.withTenant(organizationId, async (db) => {
      const row = await lockDatabase(db, organizationId, id)
      const now = clock.now()
      // Another process may have begun it meanwhile.
      const due = dueOf(await findPolicy(db, organizationId, id), kind, now)
      if (row === undefined || due === undefined) return
      const note = (await begin(db, row, kind)) ?? lateNote(due, kind, now)
      const next = nextTime(due.cron, now)
      const values =
        kind === 'backup' ? { nextBackupAt: next, backupNote: note } : { nextDrillAt: next, drillNote: note }
      await updateSchedules(db, organizationId, id, values)
      await publish(db, { organizationId, type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId: id } })
    })
  }

  /** Answers why not. */
  async function begin(db: Db, row: DatabaseRow, kind: Kind): Promise<string | undefined> {
    const who = serverItself(row.organizationId)
    try {
      if (kind === 'backup') await startBackup(parts, db, row, 'schedule', who)
      else await startDrill(parts, db, row, who)
      return undefined
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') return error.message
      throw error
    }
  }
}

function dueOf(policy: BackupPolicy, kind: Kind, now: Date): Due | undefined {
  const [cron, dueAt] =
    kind === 'backup' ? [policy.schedule, policy.nextBackupAt] : [policy.drillSchedule, policy.nextDrillAt]
  return cron === null || dueAt === null || dueAt.getTime() > now.getTime() ? undefined : { cron, dueAt }
}

function lateNote({ cron, dueAt }: Due, kind: Kind, now: Date): string | null {
  if (now.getTime() - dueAt.getTime() < lateMs) return null
  const missed = 1 + timesBetween(cron, dueAt, now)
  const what =
    missed === 1
      ? `The ${kind} that was due at ${shortTime(dueAt)}`
      : `${missed >= 100 ? 'Over 100' : missed} ${kind}s that were due since ${shortTime(dueAt)}`
  return `${what} ${missed === 1 ? 'was' : 'were'} missed, for the database or Bey did not run; one was made at ${shortTime(now)}.`
}

/** `2026-11-22 02:00 UTC` */
const shortTime = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
