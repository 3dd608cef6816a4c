import type { Db } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { existing } from '../../present.ts'
import { type DatabaseRow, findDatabase } from '../../store.ts'
import { known } from '../service.ts'
import { findLatestSwap } from '../swap-rows.ts'

export type Pair = { old: DatabaseRow; current: DatabaseRow }

/** The old database of a swap that is not undone, and the one in its place. Throws AppError `not_found` and `conflict`. */
export async function findPair(db: Db, organizationId: number, id: string): Promise<Pair> {
  await known(db, organizationId, id)
  const swap = await findLatestSwap(db, organizationId, id)
  if (swap?.databaseId !== id || (swap.status !== 'completed' && swap.status !== 'ended')) {
    throw new AppError('conflict', 'No rows were left behind: this database took the place of no other one.')
  }
  return {
    old: existing(await findDatabase(db, organizationId, swap.oldDatabaseId)),
    current: existing(await findDatabase(db, organizationId, id)),
  }
}
