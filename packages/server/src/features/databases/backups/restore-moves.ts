import { failureOfEnd } from '../../../platform/bad-end.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { WorkflowDefinition } from '../../workflows/definition/definition.ts'
import { databaseIdOf, onDatabaseMove } from '../run-moves.ts'
import { announceBackup } from './backup-parts.ts'
import { findRestoreInto, moveRestore, restoresUnderWay } from './restore-rows.ts'

/** What the end of its run means for a restore and for the database that it makes. */
export function onRestoreMove(clock: Clock): NonNullable<WorkflowDefinition['onMove']> {
  const moveDatabase = onDatabaseMove(clock, {
    what: 'The restore',
    while: ['pending', 'provisioning'],
    begun: 'provisioning',
    completed: () => ({ status: 'available' }),
    failed: 'error',
  })
  return async (db, move) => {
    const { run, status } = move
    const { organizationId } = run
    const restore = await findRestoreInto(db, organizationId, databaseIdOf(run))
    if (restore !== undefined && status === 'completed') {
      const finishedAt = clock.now()
      const totalMs = finishedAt.getTime() - restore.createdAt.getTime()
      await moveRestore(db, restore, ['validating'], 'completed', { finishedAt, totalMs })
    } else if (restore !== undefined && ['failed', 'cancelled', 'timed_out'].includes(status)) {
      const to = status === 'cancelled' ? 'cancelled' : 'failed'
      const values = { failure: failureOfEnd(move), finishedAt: clock.now() }
      await moveRestore(db, restore, restoresUnderWay, to, values)
    }
    await moveDatabase(db, move)
    if (restore !== undefined) await announceBackup(db, organizationId, restore.databaseId)
  }
}
