import { swapMoves, type SwapStatus } from '@bey/contract'
import { and, desc, eq, inArray, or } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { walkMoves } from '../../../platform/moves.ts'
import { databaseSwaps } from '../../../tables/database-restores.ts'
import { databases } from '../../../tables/databases.ts'
import { users } from '../../../tables/users.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'

const columns = {
  id: databaseSwaps.id,
  organizationId: databaseSwaps.organizationId,
  status: databaseSwaps.status,
  failure: databaseSwaps.failure,
  databaseId: databaseSwaps.databaseId,
  oldDatabaseId: databaseSwaps.oldDatabaseId,
  oldDatabaseName: databases.name,
  name: databaseSwaps.name,
  copyName: databaseSwaps.copyName,
  cutAt: databaseSwaps.cutAt,
  completedAt: databaseSwaps.completedAt,
  undoUntil: databaseSwaps.undoUntil,
  runId: databaseSwaps.runId,
  workflowId: workflowRuns.workflowId,
  createdBy: databaseSwaps.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: databaseSwaps.createdAt,
}

const selectSwaps = (db: Db) =>
  db
    .select(columns)
    .from(databaseSwaps)
    .innerJoin(databases, eq(databases.id, databaseSwaps.oldDatabaseId))
    .leftJoin(users, eq(users.id, databaseSwaps.createdBy))
    .leftJoin(workflowRuns, eq(workflowRuns.id, databaseSwaps.runId))

export type SwapRow = Awaited<ReturnType<typeof findSwap>> & {}

const byId = (organizationId: number, id: string) =>
  and(eq(databaseSwaps.organizationId, organizationId), eq(databaseSwaps.id, id))

export async function findSwap(db: Db, organizationId: number, id: string) {
  const [row] = await selectSwaps(db).where(byId(organizationId, id))
  return row
}

/** The last swap that a database took part in, as the old one or as the copy. */
export async function findLatestSwap(db: Db, organizationId: number, databaseId: string) {
  const [row] = await selectSwaps(db)
    .where(
      and(
        eq(databaseSwaps.organizationId, organizationId),
        or(eq(databaseSwaps.databaseId, databaseId), eq(databaseSwaps.oldDatabaseId, databaseId)),
      ),
    )
    .orderBy(desc(databaseSwaps.id))
    .limit(1)
  return row
}

type Values = typeof databaseSwaps.$inferInsert
type Change = Omit<Partial<Values>, 'status'>

export async function insertSwap(db: Db, values: Values): Promise<void> {
  await db.insert(databaseSwaps).values(values)
}

export async function updateSwap(db: Db, organizationId: number, id: string, values: Change): Promise<void> {
  await db.update(databaseSwaps).set(values).where(byId(organizationId, id))
}

/** Moves a swap whose status is one of these; true if it did. Throws IllegalMove for a move that is not in the table. */
export async function moveSwap(
  db: Db,
  { organizationId, id }: { organizationId: number; id: string },
  from: readonly SwapStatus[],
  to: SwapStatus,
  values: Change = {},
): Promise<boolean> {
  for (const each of from) if (each !== to) walkMoves('swap', swapMoves, each, [to])
  const rows = await db
    .update(databaseSwaps)
    .set({ ...values, status: to })
    .where(and(byId(organizationId, id), inArray(databaseSwaps.status, [...from])))
    .returning({ id: databaseSwaps.id })
  return rows.length > 0
}
