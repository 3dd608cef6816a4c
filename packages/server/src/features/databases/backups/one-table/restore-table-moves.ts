import { act, serverItself } from '../../../../platform/act.ts'
import { failureOfEnd } from '../../../../platform/bad-end.ts'
import type { Clock } from '../../../../platform/clock.ts'
import type { WorkflowDefinition } from '../../../workflows/definition/definition.ts'
import { databaseTarget } from '../../present.ts'
import { databaseIdOf } from '../../run-moves.ts'
import { findDatabase } from '../../store.ts'
import { findRestore, moveRestore, restoresUnderWay } from '../restore-rows.ts'

/** What the end of its run means for a restore of one table. */
export function onTableRestoreMove(clock: Clock): NonNullable<WorkflowDefinition['onMove']> {
  return async (db, move) => {
    const { run, status } = move
    if (!['completed', 'failed', 'cancelled', 'timed_out'].includes(status)) return
    const { organizationId } = run
    const restore = await findRestore(db, organizationId, String(run.input['restoreId']))
    if (restore === undefined) return
    const finishedAt = clock.now()
    const failure = failureOfEnd(move)
    const to = status === 'completed' ? 'completed' : status === 'cancelled' ? 'cancelled' : 'failed'
    const totalMs = finishedAt.getTime() - restore.createdAt.getTime()
    const from = to === 'completed' ? (['copying'] as const) : restoresUnderWay
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
