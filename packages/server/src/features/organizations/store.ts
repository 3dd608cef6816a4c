import { and, asc, count, desc, eq } from 'drizzle-orm'
import type { Organization } from '@bey/contract'
import type { Db } from '../../platform/db/database.ts'
import { memberships } from '../../tables/memberships.ts'
import { organizations } from '../../tables/organizations.ts'
import { users } from '../../tables/users.ts'

export async function insertOrganization(db: Db, name: string, ownerId: number): Promise<number> {
  const rows = await db.insert(organizations).values({ name }).returning({ id: organizations.id })
  const [row] = rows
  if (row === undefined) throw new Error('The organization was not inserted')
  await db.insert(memberships).values({ organizationId: row.id, userId: ownerId, role: 'OWNER' })
  return row.id
}

export async function setActiveOrganization(db: Db, userId: number, organizationId: number): Promise<void> {
  await db.update(users).set({ activeOrganizationId: organizationId }).where(eq(users.id, userId))
}

/** Takes turns between requests of one user until the transaction ends, so that a count stays true. */
export async function lockUser(db: Db, userId: number): Promise<void> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
}

export async function countMemberships(db: Db, userId: number): Promise<number> {
  const rows = await db.select({ count: count() }).from(memberships).where(eq(memberships.userId, userId))
  return rows[0]?.count ?? 0
}

export async function membershipOf(
  db: Db,
  userId: number,
  organizationId: number,
): Promise<Organization | undefined> {
  const rows = await db
    .select({ id: organizations.id, name: organizations.name, role: memberships.role })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), eq(memberships.organizationId, organizationId)))
  return rows[0]
}

export async function listMemberships(
  db: Db,
  userId: number,
  query: { page: number; limit: number; order?: 'asc' | 'desc' | undefined },
): Promise<Organization[]> {
  return db
    .select({ id: organizations.id, name: organizations.name, role: memberships.role })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(eq(memberships.userId, userId))
    .orderBy(query.order === 'desc' ? desc(organizations.id) : asc(organizations.id))
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
}
