import { type RestoreKind, restoreMoves, type RestoreStatus, restoreStatuses } from '@bey/contract'
import { and, desc, eq, inArray } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { walkMoves } from '../../../platform/moves.ts'
import { databaseRestores } from '../../../tables/database-restores.ts'
import { databases } from '../../../tables/databases.ts'
import { users } from '../../../tables/users.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'

/** Statuses that a restore has while its run works on it: those in which it can still be cancelled. */
export const restoresUnderWay = restoreStatuses.filter((status) => restoreMoves[status].includes('cancelled'))

const columns = {
  id: databaseRestores.id,
  organizationId: databaseRestores.organizationId,
  kind: databaseRestores.kind,
  databaseId: databaseRestores.databaseId,
  newDatabaseId: databaseRestores.newDatabaseId,
  newDatabaseName: databases.name,
  backupId: databaseRestores.backupId,
  targetTime: databaseRestores.targetTime,
  status: databaseRestores.status,
  failure: databaseRestores.failure,
  reachedAt: databaseRestores.reachedAt,
  checks: databaseRestores.checks,
  restoreMs: databaseRestores.restoreMs,
  replayMs: databaseRestores.replayMs,
  validateMs: databaseRestores.validateMs,
  totalMs: databaseRestores.totalMs,
  proof: databaseRestores.proof,
  lostMs: databaseRestores.lostMs,
  machineId: databaseRestores.machineId,
  dir: databaseRestores.dir,
  port: databaseRestores.port,
  cluster: databaseRestores.cluster,
  restoredTable: databaseRestores.restoredTable,
  runId: databaseRestores.runId,
  workflowId: workflowRuns.workflowId,
  createdBy: databaseRestores.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: databaseRestores.createdAt,
  finishedAt: databaseRestores.finishedAt,
}

export type RestoreRow = Awaited<ReturnType<typeof findRestore>> & {}

const selectRestores = (db: Db) =>
  db
    .select(columns)
    .from(databaseRestores)
    .leftJoin(databases, eq(databases.id, databaseRestores.newDatabaseId))
    .leftJoin(users, eq(users.id, databaseRestores.createdBy))
    .leftJoin(workflowRuns, eq(workflowRuns.id, databaseRestores.runId))

const byId = (organizationId: number, id: string) =>
  and(eq(databaseRestores.organizationId, organizationId), eq(databaseRestores.id, id))

/** Whether a restore of this kind is being made of a database. */
export async function hasRestoreUnderWay(
  db: Db,
  { organizationId, id }: { organizationId: number; id: string },
  kind: RestoreKind,
): Promise<boolean> {
  const [row] = await db
    .select({ id: databaseRestores.id })
    .from(databaseRestores)
    .where(
      and(
        eq(databaseRestores.organizationId, organizationId),
        eq(databaseRestores.databaseId, id),
        eq(databaseRestores.kind, kind),
        inArray(databaseRestores.status, restoresUnderWay),
      ),
    )
    .limit(1)
  return row !== undefined
}

/** A restore or drill; undefined where the organization has none of that id. */
export async function findRestore(db: Db, organizationId: number, id: string) {
  const [row] = await selectRestores(db).where(byId(organizationId, id))
  return row
}

type Page = { page: number; limit: number; kind?: RestoreKind | undefined }

export async function listRestores(db: Db, organizationId: number, databaseId: string, query: Page) {
  const { kind, page, limit } = query
  const condition = and(
    eq(databaseRestores.organizationId, organizationId),
    eq(databaseRestores.databaseId, databaseId),
    kind === undefined ? undefined : eq(databaseRestores.kind, kind),
  )
  const rows = await selectRestores(db)
    .where(condition)
    .orderBy(desc(databaseRestores.id))
    .limit(limit)
    .offset((page - 1) * limit)
  return { rows, total: await db.$count(databaseRestores, condition) }
}

/** How many drills of a database there were, with those under way. */
export function countDrills(db: Db, organizationId: number, databaseId: string): Promise<number> {
  const { kind } = databaseRestores
  return db.$count(
    databaseRestores,
    and(
      eq(databaseRestores.organizationId, organizationId),
      eq(databaseRestores.databaseId, databaseId),
      eq(kind, 'drill'),
    ),
  )
}

/** The restore that made a database; undefined where none did. */
export async function findRestoreInto(db: Db, organizationId: number, newDatabaseId: string) {
  const [row] = await selectRestores(db)
    .where(
      and(
        eq(databaseRestores.organizationId, organizationId),
        eq(databaseRestores.newDatabaseId, newDatabaseId),
        eq(databaseRestores.kind, 'restore'),
      ),
    )
    .orderBy(desc(databaseRestores.id))
    .limit(1)
  return row
}

type Values = typeof databaseRestores.$inferInsert
type Change = Omit<Partial<Values>, 'status'>

export async function insertRestore(db: Db, values: Values): Promise<void> {
  await db.insert(databaseRestores).values(values)
}

export async function updateRestore(
  db: Db,
  organizationId: number,
  id: string,
  values: Change,
): Promise<void> {
  await db.update(databaseRestores).set(values).where(byId(organizationId, id))
}

/** Moves a restore whose status is one of these; true if it did. Throws IllegalMove for a move that is not in the table. */
export async function moveRestore(
  db: Db,
  { organizationId, id }: { organizationId: number; id: string },
  from: readonly RestoreStatus[],
  to: RestoreStatus,
  values: Change = {},
): Promise<boolean> {
  for (const each of from) if (each !== to) walkMoves('restore', restoreMoves, each, [to])
  const rows = await db
    .update(databaseRestores)
    .set({ ...values, status: to })
    .where(and(byId(organizationId, id), inArray(databaseRestores.status, [...from])))
    .returning({ id: databaseRestores.id })
  return rows.length > 0
}
