import { act, serverItself } from '../../../platform/act.ts'
import { failureOfEnd } from '../../../platform/bad-end.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { WorkflowDefinition } from '../../workflows/definition/definition.ts'
import { sendDatabaseMessage } from '../database-messages.ts'
import { databaseTarget } from '../present.ts'
import { databaseIdOf } from '../run-moves.ts'
import { findDatabase } from '../store.ts'
import { moveBackup } from './backup-rows.ts'

/** What the end of its run means for a backup: one that did not come to its end failed, whatever of it is in the store. */
export function onBackupMove(clock: Clock): NonNullable<WorkflowDefinition['onMove']> {
  return async (db, move) => {
    const { run, status } = move
    if (!['completed', 'failed', 'cancelled', 'timed_out'].includes(status)) return
    const { organizationId } = run
    const databaseId = databaseIdOf(run)
    const failure = failureOfEnd(move)
    if (status !== 'completed') {
      const subject = { organizationId, id: String(run.input['backupId']) }
      const values = { failure, finishedAt: clock.now() }
      if (!(await moveBackup(db, subject, ['pending', 'running', 'finalizing'], 'failed', values))) return
    }
    const row = await findDatabase(db, organizationId, databaseId)
    await act(
      db,
      { ...serverItself(organizationId), via: 'workflow' },
      {
        action: `database.backup.${status}`,
        class: 'update',
        target: databaseTarget({ id: databaseId, name: row?.name ?? '' }),
        outcome: status === 'completed' ? 'success' : 'failure',
        runId: run.id,
        diff: { backup: run.input['backupId'], ...(status !== 'completed' && { error: failure }) },
        event: { type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId } },
      },
    )
    if (status === 'failed' || status === 'timed_out') {
      const message = { databaseId, name: row?.name ?? '', reason: failure, runId: run.id }
      await sendDatabaseMessage(db, organizationId, 'backup.failed', message)
    }
  }
}
