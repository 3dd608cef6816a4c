import type { BackupStatus } from './backup-rules.ts'
import { type BaseBackup, reachOf, type WalSegment, type WalStretch } from './backup-window.ts'

/** A base backup as retention sees it. Times are in ms since 1970. */
export type KeptBackup = BaseBackup & {
  isLocked: boolean
  /** When it was completed. */
  finishedAtMs: number
}

export type RetentionRule = {
  retentionMs: number
  /** Whether any moment of that time shall be restorable, not only the backups themselves. */
  pitr: boolean
  /** The database was deleted: each backup ends by its age, the newest too. */
  isDatabaseDeleted?: boolean
}

const removable: readonly BackupStatus[] = ['completed', 'verified', 'verify_failed']

/**
 * Base backups that nothing that was promised needs any more. The newest one that can be restored always stays, as does,
 * with point-in-time recovery, the one from which the beginning of the retention is restored; locked ones stay too.
 */
export function expiredBackups<B extends KeptBackup>(
  backups: readonly B[],
  wal: readonly WalStretch[],
  { retentionMs, pitr, isDatabaseDeleted = false }: RetentionRule,
  nowMs: number,
): B[] {
  const fromMs = nowMs - retentionMs
  const old = backups.filter(
    ({ status, isLocked, finishedAtMs }) => !isLocked && removable.includes(status) && finishedAtMs <= fromMs,
  )
  if (isDatabaseDeleted) return old
  const usable = backups
    .filter((backup) => reachOf(backup, wal) !== undefined)
    .toSorted((one, other) => other.consistentAtMs - one.consistentAtMs)
  // Without one that surely can be restored, whatever there is stays.
  const [newest] = usable
  if (newest === undefined) return []
  const first = pitr ? usable.find(({ consistentAtMs }) => consistentAtMs <= fromMs) : newest
  if (first === undefined) return []
  return old.filter(({ id, consistentAtMs }) => id !== newest.id && consistentAtMs < first.consistentAtMs)
}

/**
 * Whether a segment of WAL has to stay for the base backups that are kept. With point-in-time recovery everything since the
 * oldest that is not locked stays; of a locked one, and without it, what makes the backup itself consistent. Asked only
 * while no backup is being made, for its place in the WAL is not known yet.
 */
export function isWalNeeded(
  { timeline, number }: WalSegment,
  backups: readonly KeptBackup[],
  { pitr }: Pick<RetentionRule, 'pitr'>,
): boolean {
  const isOwn = backups.some(
    (backup) => backup.timeline === timeline && backup.startSegment <= number && number <= backup.stopSegment,
  )
  if (isOwn || !pitr) return isOwn
  const unlocked = backups.filter(({ isLocked }) => !isLocked)
  const [oldest] = (unlocked.length > 0 ? unlocked : [...backups]).toSorted(
    (one, other) => one.timeline - other.timeline || one.startSegment - other.startSegment,
  )
  if (oldest === undefined) return true
  return timeline > oldest.timeline || (timeline === oldest.timeline && number >= oldest.startSegment)
}
