import { baseBackupFor, momentRefusal, reachOf, recoverableWindow } from '@bey/contract'

import { BackupStoreProblem } from '../../../platform/backups/backup-store-problem.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { AppError } from '../../../platform/errors.ts'
import type { DatabasePlacement, DatabaseServers } from '../provider.ts'
import { type BackupRow, findBackup } from './backup-rows.ts'
import type { OpenBackupStore } from './backup-store.ts'
import { decompressed } from './compressed.ts'
import { verified } from './digest.ts'
import { listSegments } from './wal-rows.ts'
import { findRecoverable } from './window.ts'

type PlacedBackup = BackupRow & { timeline: number; startSegment: number; stopSegment: number }

/** What is restored: a moment, or a backup itself. */
export type RestoreWish = { targetTime: Date | null; backupId: string | null }

/** The base backup for a wish; or why there is none, as a sentence. */
export async function chooseBackup(
  db: Db,
  organizationId: number,
  databaseId: string,
  { targetTime, backupId }: RestoreWish,
) {
  const { backups, wal } = await findRecoverable(db, organizationId, databaseId)
  if (targetTime === null) {
    const backup = backups.find(({ id }) => id === backupId)
    if (backup === undefined) return { refusal: 'There is no such backup that can be restored.' }
    return reachOf(backup, wal) === undefined
      ? {
          refusal:
            'Segments of its WAL are missing in the store, so it cannot be restored. Choose another one.',
        }
      : { backup }
  }
  const window = recoverableWindow(backups, wal)
  const targetMs = targetTime.getTime()
  const refusal = momentRefusal(window, targetMs)
  if (refusal !== undefined) return { refusal }
  const backup = baseBackupFor(targetMs, backups, wal)
  return backup === undefined ? { refusal: 'No backup leads to this moment.' } : { backup }
}

/** The backup that a run restores, with its place in the WAL. Throws AppError where it was deleted meanwhile. */
export async function requireBackup(
  database: Pick<Database, 'readTenant'>,
  organizationId: number,
  id: string,
): Promise<PlacedBackup> {
  const row = await database.readTenant(organizationId, (db) => findBackup(db, organizationId, id))
  const { timeline, startSegment, stopSegment } = row ?? {}
  if (row === undefined || timeline == null || startSegment == null || stopSegment == null) {
    throw new AppError('conflict', 'The backup was deleted meanwhile. Begin again.')
  }
  return { ...row, timeline, startSegment, stopSegment }
}

type Parts = { database: Database; openStore: OpenBackupStore; embedded: Pick<DatabaseServers, 'files'> }

/** The files of a backup as they were copied; checked against what was recorded when they were stored. */
export async function openBackup(
  openStore: OpenBackupStore,
  { organizationId, targetId, storeKey, sha256, place }: BackupRow,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  if (storeKey === null || sha256 === null) throw new StepFailure('The files of the backup were removed.')
  const store = await openStore(organizationId, targetId)
  const changed = () =>
    new BackupStoreProblem(
      'changed',
      `The backup in ${place ?? store.place} is not what was stored there: its checksum differs. Restore from another one.`,
    )
  return decompressed(verified(await store.get(storeKey, signal), sha256, changed))
}

/**
 * Brings the WAL that a restore needs next to the server: from the beginning of its base backup as far as it goes without a
 * gap, and not further than a little after the moment. Answers how many segments that are.
 */
export async function fetchWal(
  { database, openStore, embedded }: Parts,
  placement: DatabasePlacement,
  backup: PlacedBackup,
  until: Date | 'immediate',
  signal: AbortSignal,
): Promise<number> {
  const { organizationId, databaseId, timeline, startSegment, stopSegment } = backup
  const segments = await database.readTenant(organizationId, (db) =>
    listSegments(db, organizationId, databaseId, { timeline, first: startSegment }),
  )
  let expected = startSegment
  for (const { name, segment, targetId, storeKey, sha256, untilAt } of segments) {
    if (segment !== expected) break
    if (until === 'immediate' && segment > stopSegment) break
    signal.throwIfAborted()
    if (!(await embedded.files.hasWal(placement, name))) {
      const store = await openStore(organizationId, targetId)
      const problem = () =>
        new BackupStoreProblem(
          'changed',
          `${name} of the WAL in ${store.place} is not what was stored there.`,
        )
      const source = decompressed(await store.get(storeKey, signal))
      await embedded.files.placeWal(placement, name, verified(source, sha256, problem))
    }
    expected += 1
    // One that ends after the moment, and the one after it: commits and writes are not timed by one clock.
    if (until instanceof Date && segment >= stopSegment && untilAt.getTime() > until.getTime() + 60_000) break
  }
  if (expected <= stopSegment)
    throw new StepFailure('Segments of the WAL of its backup are missing in the store.')
  return expected - startSegment
}
