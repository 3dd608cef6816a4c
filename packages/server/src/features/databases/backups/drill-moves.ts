import type { DrillProof } from '@bey/contract'

import { act, serverItself } from '../../../platform/act.ts'
import { failureOfEnd } from '../../../platform/bad-end.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { WorkflowDefinition } from '../../workflows/definition/definition.ts'
import { sendDatabaseMessage } from '../database-messages.ts'
import { databaseTarget } from '../present.ts'
import { databaseIdOf } from '../run-moves.ts'
import { findDatabase } from '../store.ts'
import { lockBackup, moveBackup } from './backup-rows.ts'
import { findRestore, moveRestore, type RestoreRow, restoresUnderWay } from './restore-rows.ts'

/** What the end of its run means for a drill and for the backup that it restored. */
export function onDrillMove(clock: Clock): NonNullable<WorkflowDefinition['onMove']> {
  return async (db, move) => {
    const { run, status } = move
    if (!['completed', 'failed', 'cancelled', 'timed_out'].includes(status)) return
    const { organizationId } = run
    const drill = await findRestore(db, organizationId, String(run.input['drillId']))
    if (drill === undefined) return
    const finishedAt = clock.now()
    const proof: DrillProof = status === 'completed' ? 'passed' : (drill.proof ?? 'could_not_run')
    const failure = failureOfEnd(move)
    const totalMs = finishedAt.getTime() - drill.createdAt.getTime()
    const to = status === 'completed' ? 'completed' : status === 'cancelled' ? 'cancelled' : 'failed'
    const from = to === 'completed' ? (['validating'] as const) : restoresUnderWay
    if (!(await moveRestore(db, drill, from, to, { proof, failure, finishedAt, totalMs }))) return
    await concludeBackup(db, drill, proof, finishedAt)
    const databaseId = databaseIdOf(run)
    const row = await findDatabase(db, organizationId, databaseId)
    await act(
      db,
      { ...serverItself(organizationId), via: 'workflow' },
      {
        action: `database.drill.${status}`,
        class: 'update',
        target: databaseTarget({ id: databaseId, name: row?.name ?? '' }),
        outcome: status === 'completed' ? 'success' : 'failure',
        runId: run.id,
        diff: { drill: drill.id, proof, ...(failure !== null && { error: failure }) },
        // Lists show the ticks of drills.
        event: { type: 'DATABASES_UPDATE', data: { databaseId } },
      },
    )
    if (status === 'failed' || status === 'timed_out') {
      const message = { databaseId, name: row?.name ?? '', reason: failure, runId: run.id }
      await sendDatabaseMessage(db, organizationId, 'drill.failed', message)
    }
  }
}

/**
 * A backup is verified only when it was restored and every check passed. One that could not be tried is what it was before;
 * one of which a check failed can still be restored, for the moment that was asked for may be at fault.
 */
async function concludeBackup(db: Db, drill: RestoreRow, proof: DrillProof, at: Date): Promise<void> {
  const { organizationId, backupId, checks } = drill
  const backup = backupId === null ? undefined : await lockBackup(db, organizationId, backupId)
  if (backup?.status !== 'verifying') return
  if (proof === 'passed') {
    const rtoMs = (drill.restoreMs ?? 0) + (drill.replayMs ?? 0)
    await moveBackup(db, backup, ['verifying'], 'verified', { lastVerifiedAt: at, rtoMs })
  } else if (proof === 'could_not_run') {
    await moveBackup(db, backup, ['verifying'], backup.lastVerifiedAt === null ? 'completed' : 'verified')
  } else {
    const isRestorable = checks.some(({ outcome }) => outcome === 'failed')
    await moveBackup(db, backup, ['verifying'], isRestorable ? 'completed' : 'verify_failed')
  }
}
