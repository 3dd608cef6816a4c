import { act } from '../../../../platform/act.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { Handlers } from '../../../../platform/http/handlers.ts'
import { keepReply } from '../../../../platform/http/kept-reply.ts'
import { type DatabaseParts, startDatabaseRun } from '../../parts.ts'
import { databaseTarget, existing } from '../../present.ts'
import { lockDatabase } from '../../store.ts'
import { findLeftRows } from './left-rows.ts'
import { findPair } from './swapped-pair.ts'

/** What a swap left behind in the old database, and the copy of it. */
export function leftRowsActs(
  parts: DatabaseParts,
): Handlers<'databases.swaps.leftRows' | 'databases.swaps.copyRows'> {
  const { database, clock } = parts
  return {
    'databases.swaps.leftRows': async ({ caller: { organizationId }, params: { id } }) => {
      const pair = await database.readTenant(organizationId, (db) => findPair(db, organizationId, id))
      return { at: clock.now().toISOString(), ...(await findLeftRows(parts, pair)) }
    },

    'databases.swaps.copyRows': ({ caller, params: { id }, body: { tables } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const row = existing(await lockDatabase(db, organizationId, id))
        const { old } = await findPair(db, organizationId, id)
        for (const { name, status } of [row, old]) {
          if (status === 'available') continue
          throw new AppError('conflict', `No row was copied: "${name}" is ${status}.`)
        }
        const run = await startDatabaseRun(parts, db, row, 'database.copy_rows', caller, { tables })
        await act(db, caller, {
          action: 'database.copy_rows',
          class: 'update',
          target: databaseTarget(row),
          diff: { from: old.name, tables: tables.map(({ schema, name }) => `${schema}.${name}`).join(', ') },
          runId: run.runId,
        })
        const { workflowId, runId } = run
        return keepReply(db, {
          databaseId: id,
          workflowId,
          runId,
          status: row.status,
          message: `Rows of "${old.name}" are being copied.`,
        })
      }),
  }
}
