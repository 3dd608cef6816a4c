import { act, serverItself } from '../../../../platform/act.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { WorkflowDefinition } from '../../../workflows/definition.ts'
import { databaseTarget } from '../../present.ts'
import { databaseIdOf } from '../../run-moves.ts'
import { findDatabase } from '../../store.ts'
import { findRestore, moveRestore } from '../restore-rows.ts'

const open = ['pending', 'preparing', 'restoring', 'replaying', 'copying'] as const

/** What the end of its run means for a restore of one table. */
export function onTableRestoreMove(clock: Clock): NonNullable<WorkflowDefinition['onMove']> {
  return async (db, move) => {
    const { run, status } = move
    if (!['completed', 'failed', 'cancelled', 'timed_out'].includes(status)) return
    const { organizationId } = run
    const restore = await findRestore(db, organizationId, String(run.input['restoreId']))
    if (restore === undefined) return
    const finishedAt = clock.now()
    const failure =
      status === 'completed'
        ? null
        : status === 'cancelled'
          ? `Cancelled by ${move.cancelledBy ?? 'somebody whose account is gone'}.`
          : (move.error ?? 'Unknown reason')
    const to = status === 'completed' ? 'completed' : status === 'cancelled' ? 'cancelled' : 'failed'
    const totalMs = finishedAt.getTime() - restore.createdAt.getTime()
    const from = to === 'completed' ? (['copying'] as const) : open
    const { restoredTable } = restore
    // Written before a commit that was refused.
    const undone = failure !== null && restoredTable !== null && { ...restoredTable, into: null, rows: null }
    const values = { failure, finishedAt, totalMs, ...(undone && { restoredTable: undone }) }
    if (!(await moveRestore(db, restore, from, to, values))) return
    const databaseId = databaseIdOf(run)
    const row = await findDatabase(db, organizationId, databaseId)
    const { schema, name, into, rows } = restoredTable ?? {}
    await act(
      db,
      { ...serverItself(organizationId), via: 'workflow' },
      {
        action: `database.restore_table.${status}`,
        class: 'update',
        target: databaseTarget({ id: databaseId, name: row?.name ?? '' }),
        outcome: failure === null ? 'success' : 'failure',
        runId: run.id,
        diff: {
          table: `${schema}.${name}`,
          ...(failure === null ? { into: `${schema}.${into}`, rows: rows ?? 0 } : { error: failure }),
        },
        event: { type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId } },
      },
    )
  }
}
