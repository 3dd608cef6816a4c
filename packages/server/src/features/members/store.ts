import type { Member, Role } from '@bey/contract'
import { and, asc, count, desc, eq, ilike, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
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
  secondFactor?: Member['secondFactor'] | undefined
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

const inviter = alias(users, 'inviter')

export type MemberRow = Awaited<ReturnType<typeof listMembers>>['rows'][number]

/**
 * A page of members. What is asked of each one alone, such as when they were last seen, is asked for those of the page; who
 * is searched for is found before memberships are read, because the planner cannot know how many have such a name.
 */
export async function listMembers(db: Db, organizationId: number, filter: MemberFilter) {
  const conditions: (SQL | undefined)[] = [eq(memberships.organizationId, organizationId)]
  if (filter.role !== undefined) conditions.push(eq(memberships.role, filter.role))
  if (filter.id !== undefined) conditions.push(eq(memberships.userId, filter.id))
  if (filter.secondFactor !== undefined) conditions.push(hasFactor(filter.secondFactor))
  if (filter.search) conditions.push(isAmong(await findPeople(db, filter.search)))
  const where = and(...conditions)
  const byColumn = (filter.order === 'desc' ? desc : asc)(columns[filter.sort])
  const page = db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      role: memberships.role,
      joinedAt: memberships.createdAt,
      origin: memberships.origin,
      provider: memberships.provider,
      invitedBy: memberships.invitedBy,
      inviterName: inviter.name,
      inviterEmail: inviter.email,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(inviter, eq(inviter.id, memberships.invitedBy))
    .$dynamic()
  if (filter.sort === 'lastSeenAt')
    page.leftJoin(sql`last_seen_of_members(${everybody}) seen`, seenBy(memberships.userId))
  const [rows, total] = await Promise.all([
    page
      .where(where)
      .orderBy(sql`${byColumn} nulls last`, asc(users.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(db, sql`select 1 from ${memberships} where ${where}`),
  ])
  const details = await detailsOf(
    db,
    rows.map(({ id }) => id),
  )
  return {
    rows: rows.map((row) => ({ ...row, ...(details.get(row.id) ?? noDetails) })),
    ...total,
  }
}

type Details = { lastSeenAt: string | null; secondFactor: Member['secondFactor'] }
const noDetails: Details = { lastSeenAt: null, secondFactor: 'none' }

/** Sessions and second factors are their users' own: the functions return when and which kind, and nothing else. */
async function detailsOf(db: Db, ids: readonly number[]): Promise<Map<number, Details>> {
  const list = idList(ids)
  const { rows } = await db.execute<Details & { id: number }>(sql`
    select each.id, seen.last_seen_at as "lastSeenAt", coalesce(factors.second_factor, 'none') as "secondFactor"
    from unnest(${list}) each(id)
    left join last_seen_of_members(${list}) seen on ${seenBy(sql`each.id`)}
    left join second_factors_of_members(${list}) factors on factors.user_id = each.id`)
  return new Map(rows.map(({ id, ...details }) => [id, details]))
}

/** Of the current organization, because nobody else can be seen. */
async function findPeople(db: Db, search: string): Promise<number[]> {
  const part = containing(search)
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(or(ilike(users.name, part), ilike(users.email, part)))
  return rows.map(({ id }) => id)
}

function hasFactor(kind: Member['secondFactor']): SQL {
  const known = sql`select f.user_id from second_factors_of_members(${everybody}) f`
  return kind === 'none'
    ? sql`${memberships.userId} <> all (array(${known}))`
    : sql`${memberships.userId} = any (array(${known} where f.second_factor = ${kind}))`
}

const everybody = sql`array(select user_id from memberships)`
const seenBy = (userId: SQLWrapper) => sql`seen.user_id = ${userId}`
const isAmong = (ids: readonly number[]) => sql`${memberships.userId} = any (${idList(ids)})`

/** As one value, so that the statement is the same however many there are. */
function idList(ids: readonly number[]): SQL {
  return sql`${`{${ids.join(',')}}`}::int[]`
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
