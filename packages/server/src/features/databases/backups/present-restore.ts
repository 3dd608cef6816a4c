import type { DatabaseRestore } from '@bey/contract'

import { presentActor } from '../../../platform/present-actor.ts'
import { presentRun } from './present-backup.ts'
import type { RestoreRow } from './restore-rows.ts'

export function presentRestore(row: RestoreRow): DatabaseRestore {
  const { id, kind, databaseId, newDatabaseId, newDatabaseName, backupId, status, failure, checks } = row
  const { restoreMs, replayMs, validateMs, totalMs } = row
  return {
    id,
    kind,
    databaseId,
    newDatabase:
      newDatabaseId === null || newDatabaseName === null
        ? null
        : { id: newDatabaseId, name: newDatabaseName },
    table: row.restoredTable && {
      schema: row.restoredTable.schema,
      name: row.restoredTable.name,
      into: row.restoredTable.into,
      replaces: row.restoredTable.replaces,
      rows: row.restoredTable.rows,
    },
    backupId,
    targetTime: row.targetTime?.toISOString() ?? null,
    status,
    failure,
    reachedAt: row.reachedAt?.toISOString() ?? null,
    checks,
    // A check that failed is known before the server is removed.
    proof: row.finishedAt === null ? null : row.proof,
    lostMs: row.lostMs,
    durations: { restoreMs, replayMs, validateMs, totalMs },
    run: presentRun(row),
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}
