import type { DatabaseBackup } from '@bey/contract'

import { AppError } from '../../../platform/errors.ts'
import { presentActor } from '../../../platform/present-actor.ts'
import type { BackupRow } from './backup-rows.ts'

export function presentBackup(row: BackupRow): DatabaseBackup {
  const time = (at: Date | null) => at?.toISOString() ?? null
  const { id, databaseId, kind, trigger, status, failure, place, targetId, sizeBytes, storedBytes } = row
  const { sha256, startLsn, stopLsn, timeline, version, isLocked, rtoMs } = row
  return {
    id,
    databaseId,
    kind,
    trigger,
    status,
    failure,
    place,
    targetId,
    sizeBytes,
    storedBytes,
    sha256,
    startLsn,
    stopLsn,
    timeline,
    version,
    isLocked,
    rtoMs,
    startedAt: time(row.startedAt),
    consistentAt: time(row.consistentAt),
    finishedAt: time(row.finishedAt),
    expiresAt: isLocked ? null : time(row.expiresAt),
    lastVerifiedAt: time(row.lastVerifiedAt),
    run: presentRun(row),
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
  }
}

export function presentRun({ runId, workflowId }: { runId: string | null; workflowId: string | null }) {
  return runId === null || workflowId === null ? null : { workflowId, runId }
}

/** A backup of this database; throws AppError `not_found` where there is none. */
export function existingBackup(row: BackupRow | undefined, databaseId: string): BackupRow {
  if (row !== undefined && row.databaseId === databaseId) return row
  throw new AppError('not_found', 'This database has no such backup.')
}
