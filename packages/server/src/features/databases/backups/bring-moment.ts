import { momentRefusal, recoverableWindow } from '@bey/contract'

import type { StepContext } from '../../workflows/definition/definition.ts'
import { placementOf } from '../parts.ts'
import { type DatabaseRow, findDatabase } from '../store.ts'
import type { BackupParts } from './backup-parts.ts'
import { findRecoverable } from './window.ts'

/** A server that ended a moment ago is started again within this time. */
const patienceMs = 60_000
const pauseMs = 1_000

/**
 * Lets the server of a database bring to the store what it wrote until a moment, where the store does not lead to it yet. What
 * cannot be brought is logged: whether the moment can be restored nevertheless is decided by the window.
 */
export async function bringMoment(
  { database, providers, archiver, clock }: BackupParts,
  context: Pick<StepContext, 'log' | 'sleep'>,
  { organizationId, id }: DatabaseRow,
  moment: Date,
): Promise<void> {
  const untilMs = clock.monotonicMs() + patienceMs
  for (;;) {
    const { row, isThere } = await database.readTenant(organizationId, async (db) => {
      const { backups, wal } = await findRecoverable(db, organizationId, id)
      const refusal = momentRefusal(recoverableWindow(backups, wal), moment.getTime())
      return { row: await findDatabase(db, organizationId, id), isThere: refusal === undefined }
    })
    if (isThere || (row?.status !== 'available' && row?.status !== 'degraded')) return
    const placement = placementOf(row)
    if (placement === null || !providers.embedded.isHere(placement)) return
    const problem = await archiver.flush(row).catch((error: unknown) => String(error))
    if (problem === undefined) return
    if (clock.monotonicMs() > untilMs) {
      context.log(`What was written last could not be brought to the store: ${problem}`, 'warning')
      return
    }
    await context.sleep(pauseMs)
  }
}
