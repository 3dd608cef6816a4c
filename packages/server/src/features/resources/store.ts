import { and, asc, count, eq, inArray, or, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { lockUntilCommit } from '../../platform/db/locks.ts'
import { memberships } from '../../tables/memberships.ts'
import { resourceTags } from '../../tables/resource-tags.ts'
import { resourceViews } from '../../tables/resource-views.ts'
import { users } from '../../tables/users.ts'

/** What members wrote about resources, with whether the owner still belongs to the organization. */
export function readTags(db: Db, organizationId: number) {
  return db
    .select({
      resourceId: resourceTags.resourceId,
      tags: resourceTags.tags,
      ownerId: resourceTags.ownerId,
      ownerName: users.name,
      ownerEmail: users.email,
      isMember: sql<boolean>`${memberships.userId} is not null`,
    })
    .from(resourceTags)
    .leftJoin(users, eq(users.id, resourceTags.ownerId))
    .leftJoin(
      memberships,
      and(
        eq(memberships.organizationId, resourceTags.organizationId),
        eq(memberships.userId, resourceTags.ownerId),
      ),
    )
    .where(eq(resourceTags.organizationId, organizationId))
}

/** Lets one act at a time change tags and views of an organization, until the transaction ends. */
export async function lockTags(db: Db, organizationId: number): Promise<void> {
  await lockUntilCommit(db, 'resourceTags', organizationId)
}

export function readTagsOf(db: Db, organizationId: number, ids: readonly string[]) {
  return db
    .select({
      resourceId: resourceTags.resourceId,
      tags: resourceTags.tags,
      ownerId: resourceTags.ownerId,
    })
    .from(resourceTags)
    .where(and(eq(resourceTags.organizationId, organizationId), inArray(resourceTags.resourceId, [...ids])))
}

export async function countTagged(db: Db, organizationId: number): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(resourceTags)
    .where(eq(resourceTags.organizationId, organizationId))
  return row?.count ?? 0
}

export async function writeTags(
  db: Db,
  organizationId: number,
  rows: readonly { resourceId: string; tags: string[]; ownerId: number | null }[],
): Promise<void> {
  await db
    .insert(resourceTags)
    .values(rows.map((row) => ({ ...row, organizationId })))
    .onConflictDoUpdate({
      target: [resourceTags.organizationId, resourceTags.resourceId],
      set: { tags: sql`excluded.tags`, ownerId: sql`excluded.owner_id`, missingSince: null },
    })
}

export async function deleteTags(db: Db, organizationId: number, ids: readonly string[]): Promise<void> {
  await db
    .delete(resourceTags)
    .where(and(eq(resourceTags.organizationId, organizationId), inArray(resourceTags.resourceId, [...ids])))
}

export async function findMember(db: Db, organizationId: number, userId: number) {
  const [row] = await db
    .select({ id: users.id, name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
  return row
}

/** Views that a person sees: their own, and those that others share; by name. */
export function readViews(db: Db, organizationId: number, userId: number) {
  return db
    .select({
      id: resourceViews.id,
      name: resourceViews.name,
      query: resourceViews.query,
      isShared: resourceViews.isShared,
      createdBy: resourceViews.createdBy,
      createdByName: users.name,
    })
    .from(resourceViews)
    .leftJoin(users, eq(users.id, resourceViews.createdBy))
    .where(
      and(
        eq(resourceViews.organizationId, organizationId),
        or(eq(resourceViews.isShared, true), eq(resourceViews.createdBy, userId)),
      ),
    )
    .orderBy(asc(sql`lower(${resourceViews.name})`), asc(resourceViews.id))
}

export async function countViews(db: Db, organizationId: number): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(resourceViews)
    .where(eq(resourceViews.organizationId, organizationId))
  return row?.count ?? 0
}

export async function insertView(db: Db, values: typeof resourceViews.$inferInsert): Promise<void> {
  await db.insert(resourceViews).values(values)
}

/** Deletes a view of a person, and answers its name; undefined where they have none of this id. */
export async function deleteView(
  db: Db,
  organizationId: number,
  userId: number,
  id: string,
): Promise<string | undefined> {
  const [row] = await db
    .delete(resourceViews)
    .where(
      and(
        eq(resourceViews.organizationId, organizationId),
        eq(resourceViews.createdBy, userId),
        eq(resourceViews.id, id),
      ),
    )
    .returning({ name: resourceViews.name })
  return row?.name
}
