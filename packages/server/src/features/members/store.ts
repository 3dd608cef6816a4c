import type { Member, Role } from '@bey/contract'
import { and, asc, count, desc, eq, ilike, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import { countUpTo } from '../../platform/db/totals.ts'
import { memberships } from '../../tables/memberships.ts'
import { organizations } from '../../tables/organizations.ts'
import { users } from '../../tables/users.ts'
import type { Person } from './parts.ts'

export type MemberFilter = {
  search?: string | undefined
  role?: Role | undefined
  id?: number | undefined
  sort: keyof typeof columns
  order?: 'asc' | 'desc' | undefined
  page: number
  limit: number
}

const lastSeenAt = sql<string | null>`seen.last_seen_at`

/** What a list can be sorted by; roles by what they may, the mightiest first. */
const columns = {
  name: sql`lower(${users.name})`,
  email: users.email,
  role: sql`array_position(array['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'], ${memberships.role})`,
  joinedAt: memberships.createdAt,
  lastSeenAt,
}

/** Second factors are their users' own: the function returns only which kind each member of this organization has, if any. */
const secondFactorOfMember = sql<Member['secondFactor']>`coalesce(factors.second_factor, 'none')`

const inviter = alias(users, 'inviter')

export type MemberRow = Awaited<ReturnType<typeof listMembers>>['rows'][number]

export async function listMembers(db: Db, organizationId: number, filter: MemberFilter) {
  const conditions: (SQL | undefined)[] = [eq(memberships.organizationId, organizationId)]
  if (filter.role !== undefined) conditions.push(eq(memberships.role, filter.role))
  if (filter.id !== undefined) conditions.push(eq(memberships.userId, filter.id))
  if (filter.search) {
    const part = containing(filter.search)
    conditions.push(or(ilike(users.name, part), ilike(users.email, part)))
  }
  const where = and(...conditions)
  const byColumn = (filter.order === 'desc' ? desc : asc)(columns[filter.sort])
  const [rows, total] = await Promise.all([
    db
      .select({
        id: users.id,
        name: users.name,
        email: users.email,
        role: memberships.role,
        joinedAt: memberships.createdAt,
        lastSeenAt,
        origin: memberships.origin,
        provider: memberships.provider,
        invitedBy: inviter.name,
        secondFactor: secondFactorOfMember,
      })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .leftJoin(inviter, eq(inviter.id, memberships.invitedBy))
      .leftJoin(sql`second_factors_of_members() factors`, sql`factors.user_id = ${memberships.userId}`)
      // Sessions are their users' own: the function returns only when those of this organization's members were used.
      .leftJoin(sql`last_seen_of_members() seen`, sql`seen.user_id = ${memberships.userId}`)
      .where(where)
      .orderBy(sql`${byColumn} nulls last`, asc(users.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(
      db,
      sql`select 1 from ${memberships} join ${users} on ${users.id} = ${memberships.userId} where ${where}`,
    ),
  ])
  return { rows, ...total }
}

/** Takes turns between changes of who belongs to an organization until the transaction ends, so that a count stays true. */
export async function lockOrganization(db: Db, organizationId: number): Promise<void> {
  await db
    .select({ id: organizations.id })
    .from(organizations)
    .where(eq(organizations.id, organizationId))
    .for('no key update')
}

export async function findMember(
  db: Db,
  organizationId: number,
  userId: number,
): Promise<Person | undefined> {
  const rows = await db
    .select({ id: users.id, name: users.name, email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
  return rows[0]
}

export async function countOwners(db: Db, organizationId: number): Promise<number> {
  const rows = await db
    .select({ count: count() })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.role, 'OWNER')))
  return rows[0]?.count ?? 0
}

export async function setRole(db: Db, organizationId: number, userId: number, role: Role): Promise<void> {
  await db
    .update(memberships)
    .set({ role })
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
}

/** With what hangs on it, such as the person's notifications in this organization. */
export async function deleteMembership(db: Db, organizationId: number, userId: number): Promise<void> {
  await db
    .delete(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
}
