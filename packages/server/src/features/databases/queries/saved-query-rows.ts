import { queryLimits, type SavedQuery } from '@bey/contract'
import { and, asc, desc, eq, or, type SQL, sql } from 'drizzle-orm'

import type { Who } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { presentActor } from '../../../platform/present-actor.ts'
import { databaseSavedQueries as table } from '../../../tables/database-queries.ts'
import { users } from '../../../tables/users.ts'

type Row = Awaited<ReturnType<typeof findSaved>> & {}
type Values = { name?: string; statement?: string; isShared?: boolean }

/** Those that somebody sees: the own ones, and what is shared. */
function selectSaved(db: Db, { organizationId, user }: Who, databaseId: string, condition?: SQL) {
  return db
    .select({
      id: table.id,
      name: table.name,
      statement: table.statement,
      isShared: table.isShared,
      createdBy: table.createdBy,
      createdByName: users.name,
      createdByEmail: users.email,
      updatedAt: table.updatedAt,
    })
    .from(table)
    .leftJoin(users, eq(users.id, table.createdBy))
    .where(
      and(
        eq(table.organizationId, organizationId),
        eq(table.databaseId, databaseId),
        or(eq(table.createdBy, user.id), eq(table.isShared, true)),
        condition,
      ),
    )
    .$dynamic()
}

/** The own ones first, each group by name. */
export function listSaved(db: Db, who: Who, databaseId: string) {
  return selectSaved(db, who, databaseId)
    .orderBy(
      desc(sql`${table.createdBy} is not distinct from ${who.user.id}`),
      asc(sql`lower(${table.name})`),
    )
    .limit(queryLimits.perDatabase)
}

export async function findSaved(db: Db, who: Who, databaseId: string, id: string) {
  const [row] = await selectSaved(db, who, databaseId, eq(table.id, id))
  return row
}

export function countSaved(db: Db, organizationId: number, databaseId: string): Promise<number> {
  return db.$count(table, and(eq(table.organizationId, organizationId), eq(table.databaseId, databaseId)))
}

export async function insertSaved(db: Db, values: typeof table.$inferInsert): Promise<void> {
  await db.insert(table).values(values)
}

export async function updateSaved(
  db: Db,
  organizationId: number,
  id: string,
  values: Values & { updatedAt: Date },
): Promise<void> {
  await db
    .update(table)
    .set(values)
    .where(and(eq(table.organizationId, organizationId), eq(table.id, id)))
}

export async function deleteSaved(db: Db, organizationId: number, id: string): Promise<void> {
  await db.delete(table).where(and(eq(table.organizationId, organizationId), eq(table.id, id)))
}

export function presentSaved(row: Row, who: Who): SavedQuery {
  return {
    id: row.id,
    name: row.name,
    statement: row.statement,
    isShared: row.isShared,
    isMine: row.createdBy === who.user.id,
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    updatedAt: row.updatedAt.toISOString(),
  }
}
