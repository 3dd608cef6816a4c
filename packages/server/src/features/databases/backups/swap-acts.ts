import { backupLimits, type DatabaseSwap } from '@bey/contract'

import { act } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { presentActor } from '../../../platform/present-actor.ts'
import { type DatabaseParts, startDatabaseRun } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import { type DatabaseRow, findDatabase, lockDatabase, moveDatabase } from '../store.ts'
import { hasBackupUnderWay } from './backup-rows.ts'
import { compareForSwap } from './compare-for-swap.ts'
import { presentRun } from './present-backup.ts'
import { findRestoreInto } from './restore-rows.ts'
import { known } from './service.ts'
import { findLatestSwap, findSwap, insertSwap, moveSwap, type SwapRow, updateSwap } from './swap-rows.ts'

type Names = `databases.${'swap' | 'undoSwap' | 'swaps.latest' | 'swaps.compare'}`

/** Puts restored copies in the place of the databases that they were made from, and takes that back. */
export function swapActs(parts: DatabaseParts): Handlers<Names> {
  const { database, clock } = parts

  /** Both are under way until the run is over, so that nothing else begins on them. */
  async function begin(db: Db, pair: readonly DatabaseRow[]): Promise<void> {
    for (const row of pair) {
      if (row.status !== 'available') {
        refuse(`"${row.name}" is ${row.status}; both databases have to be available.`)
      }
      if (await hasBackupUnderWay(db, row.organizationId, row.id)) {
        refuse(`"${row.name}" is being backed up. Wait until that is done.`)
      }
      await moveDatabase(db, row, ['available'], 'updating', { reason: null }, clock.now())
    }
  }

  return {
    'databases.swap': ({ caller, params: { id }, body: { withDatabaseId } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId, user } = caller
        if (id === withDatabaseId) refuse('A database cannot take its own place.')
        const [old, copy] = await lockPair(db, organizationId, id, withDatabaseId)
        if (!(await isCopyOf(db, copy, old))) refuse(`"${copy.name}" was not restored from "${old.name}".`)
        if (copy.machineId !== old.machineId) refuse('The two run on different machines.')
        await begin(db, [old, copy])
        const swapId = uuidv7()
        const names = { name: old.name, copyName: copy.name }
        const pair = { databaseId: copy.id, oldDatabaseId: old.id }
        await insertSwap(db, { ...names, ...pair, id: swapId, organizationId, createdBy: user.id })
        const run = await startDatabaseRun(parts, db, old, 'database.swap', caller)
        await updateSwap(db, organizationId, swapId, { runId: run.runId })
        await act(db, caller, {
          action: 'database.swap',
          class: 'update',
          target: databaseTarget(old),
          diff: { with: copy.name },
          runId: run.runId,
        })
        return keepReply(db, presentSwap(await findSwap(db, organizationId, swapId)))
      }),

    'databases.undoSwap': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        await known(db, organizationId, id)
        const swap = await findLatestSwap(db, organizationId, id)
        if (swap?.status !== 'completed') throw new AppError('conflict', 'There is no swap to undo.')
        if (swap.undoUntil === null || swap.undoUntil <= clock.now()) {
          refuse(`A swap can be undone for ${backupLimits.swapUndoHours} hours, and they are over.`)
        }
        const [old, copy] = await lockPair(db, organizationId, swap.oldDatabaseId, swap.databaseId)
        await begin(db, [old, copy])
        await moveSwap(db, swap, ['completed'], 'undoing')
        const run = await startDatabaseRun(parts, db, old, 'database.undo_swap', caller)
        await updateSwap(db, organizationId, swap.id, { runId: run.runId })
        await act(db, caller, {
          action: 'database.undo_swap',
          class: 'update',
          target: databaseTarget(copy),
          diff: { with: old.name },
          runId: run.runId,
        })
        return keepReply(db, presentSwap(await findSwap(db, organizationId, swap.id)))
      }),

    'databases.swaps.compare': async ({
      caller: { organizationId },
      params: { id },
      query: { withDatabaseId },
    }) => {
      const [old, copy] = await database.readTenant(organizationId, async (db) => {
        const pair = [
          existing(await findDatabase(db, organizationId, id)),
          existing(await findDatabase(db, organizationId, withDatabaseId)),
        ] as const
        const [source, restored] = pair
        if (await isCopyOf(db, restored, source)) return pair
        throw new AppError(
          'conflict',
          `Nothing was compared: "${restored.name}" was not restored from "${source.name}".`,
        )
      })
      return { at: clock.now().toISOString(), ...(await compareForSwap(parts, old, copy)) }
    },

    'databases.swaps.latest': ({ caller: { organizationId }, params: { id } }) =>
      database.readTenant(organizationId, async (db) => {
        await known(db, organizationId, id)
        const swap = await findLatestSwap(db, organizationId, id)
        return { swap: swap === undefined ? null : presentSwap(swap) }
      }),
  }
}

/** Whether a database is a finished restore of another. */
async function isCopyOf(db: Db, copy: DatabaseRow, old: DatabaseRow): Promise<boolean> {
  const restore = await findRestoreInto(db, old.organizationId, copy.id)
  return restore?.databaseId === old.id && restore.status === 'completed'
}

function refuse(reason: string): never {
  throw new AppError('conflict', `Nothing was swapped: ${reason}`)
}

/** In the order of their ids, so that two requests never wait for each other. */
async function lockPair(
  db: Db,
  organizationId: number,
  oldId: string,
  copyId: string,
): Promise<[DatabaseRow, DatabaseRow]> {
  const rows = new Map<string, DatabaseRow>()
  for (const id of [oldId, copyId].toSorted()) {
    rows.set(id, existing(await lockDatabase(db, organizationId, id)))
  }
  return [existing(rows.get(oldId)), existing(rows.get(copyId))]
}

function presentSwap(row: SwapRow | undefined): DatabaseSwap {
  if (row === undefined) throw new Error('The swap was not stored')
  const { id, status, failure, databaseId, oldDatabaseId, oldDatabaseName } = row
  return {
    id,
    status,
    failure,
    databaseId,
    oldDatabase: { id: oldDatabaseId, name: oldDatabaseName },
    cutAt: row.cutAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
    undoUntil: row.undoUntil?.toISOString() ?? null,
    run: presentRun(row),
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
  }
}
