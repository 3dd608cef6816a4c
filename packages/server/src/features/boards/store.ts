import type { ParsedInput } from '@bey/contract'
import { boardBounds } from '@bey/contract/boards/rules'
import { and, asc, desc, eq, ilike, lte, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import { countUpTo } from '../../platform/db/totals.ts'
import { boards, boardVersions } from '../../tables/boards.ts'
import { users } from '../../tables/users.ts'

const savers = alias(users, 'savers')

const columns = {
  id: boards.id,
  name: boards.name,
  description: boards.description,
  visibility: boards.visibility,
  version: boards.version,
  createdBy: boards.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: boards.createdAt,
  updatedAt: boards.updatedAt,
}

export type ListedRow = Awaited<ReturnType<typeof listBoards>>['rows'][number]
export type BoardRow = NonNullable<Awaited<ReturnType<typeof findBoard>>>
type Filter = ParsedInput<'boards.list'>['query']

/** Boards of the organization, and the private ones of this user. */
const readable = (organizationId: number, userId: number) =>
  and(
    eq(boards.organizationId, organizationId),
    or(eq(boards.visibility, 'organization'), eq(boards.createdBy, userId)),
  )

export async function listBoards(db: Db, organizationId: number, userId: number, filter: Filter) {
  const where = and(
    readable(organizationId, userId),
    filter.search ? ilike(boards.name, containing(filter.search)) : undefined,
  )
  const direction = (filter.order ?? (filter.sort === 'name' ? 'asc' : 'desc')) === 'asc' ? asc : desc
  const by = filter.sort === 'name' ? sql`lower(${boards.name})` : boards.createdAt
  const [rows, total] = await Promise.all([
    db
      .select(columns)
      .from(boards)
      .leftJoin(users, eq(users.id, boards.createdBy))
      .where(where)
      .orderBy(direction(by), direction(boards.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(db, sql`select 1 from ${boards} where ${where}`),
  ])
  return { rows, ...total }
}

/** `isLocked` keeps the row from being changed by others until the transaction ends. */
export async function findBoard(
  db: Db,
  organizationId: number,
  userId: number,
  id: string,
  { isLocked = false } = {},
) {
  const query = db
    .select({
      ...columns,
      definition: boards.definition,
      updatedBy: boards.updatedBy,
      updatedByName: savers.name,
      updatedByEmail: savers.email,
    })
    .from(boards)
    .leftJoin(users, eq(users.id, boards.createdBy))
    .leftJoin(savers, eq(savers.id, boards.updatedBy))
    .where(and(readable(organizationId, userId), eq(boards.id, id)))
    .$dynamic()
  const [row] = await (isLocked ? query.for('update', { of: boards }) : query)
  return row
}

type Values = typeof boards.$inferInsert

/** Stores a new board and its first version. */
export async function insertBoard(db: Db, values: Values & { createdBy: number }): Promise<void> {
  await db.insert(boards).values({ ...values, updatedBy: values.createdBy })
  await keepVersion(db, values.organizationId, values.id)
}

/** Stores a change as the next version. Versions beyond those that are kept are deleted. */
export async function updateBoard(
  db: Db,
  organizationId: number,
  userId: number,
  id: string,
  values: Partial<Values>,
): Promise<void> {
  await db
    .update(boards)
    .set({ ...values, version: sql`${boards.version} + 1`, updatedBy: userId, updatedAt: sql`now()` })
    .where(and(eq(boards.organizationId, organizationId), eq(boards.id, id)))
  await keepVersion(db, organizationId, id)
}

async function keepVersion(db: Db, organizationId: number, id: string): Promise<void> {
  await db.execute(sql`
    insert into board_versions (board_id, version, organization_id, name, description, definition, saved_by)
    select id, version, organization_id, name, description, definition, updated_by from boards
    where organization_id = ${organizationId} and id = ${id}`)
  await db
    .delete(boardVersions)
    .where(
      and(
        eq(boardVersions.organizationId, organizationId),
        eq(boardVersions.boardId, id),
        lte(
          boardVersions.version,
          sql`(select version from boards where id = ${id}) - ${boardBounds.keptVersions}::int`,
        ),
      ),
    )
}

export async function listVersions(db: Db, organizationId: number, id: string) {
  return db
    .select({
      version: boardVersions.version,
      name: boardVersions.name,
      panelCount: sql<number>`jsonb_array_length(${boardVersions.definition} -> 'panels')`,
      savedAt: boardVersions.savedAt,
      savedBy: boardVersions.savedBy,
      savedByName: users.name,
      savedByEmail: users.email,
    })
    .from(boardVersions)
    .leftJoin(users, eq(users.id, boardVersions.savedBy))
    .where(and(eq(boardVersions.organizationId, organizationId), eq(boardVersions.boardId, id)))
    .orderBy(desc(boardVersions.version))
    .limit(boardBounds.keptVersions)
}

export async function findVersion(db: Db, organizationId: number, id: string, version: number) {
  const [row] = await db
    .select({
      name: boardVersions.name,
      description: boardVersions.description,
      definition: boardVersions.definition,
    })
    .from(boardVersions)
    .where(
      and(
        eq(boardVersions.organizationId, organizationId),
        eq(boardVersions.boardId, id),
        eq(boardVersions.version, version),
      ),
    )
  return row
}

export async function deleteBoard(db: Db, organizationId: number, id: string): Promise<void> {
  await db.delete(boards).where(and(eq(boards.organizationId, organizationId), eq(boards.id, id)))
}
