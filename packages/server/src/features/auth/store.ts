import { and, eq, inArray, isNotNull, lt, ne, or, sql } from 'drizzle-orm'
import { emailSkeleton } from '@bey/contract'
import type { GodmodeUser, Organization } from '@bey/contract'
import type { Db } from '../../platform/db/database.ts'
import { countUpTo, type Total } from '../../platform/db/totals.ts'
import { sessions } from '../../tables/sessions.ts'
import { users } from '../../tables/users.ts'

export type UserRow = {
  id: number
  email: string
  name: string
  activeOrganizationId: number | null
  createdAt: Date
  updatedAt: Date
}

const userColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  activeOrganizationId: users.activeOrganizationId,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
}

export async function insertUser(
  db: Db,
  values: { email: string; name: string; passwordHash: string | null },
): Promise<number> {
  const rows = await db.insert(users).values(values).returning({ id: users.id })
  const [row] = rows
  if (row === undefined) throw new Error('The user was not inserted')
  return row.id
}

/**
 * The account whose address looks like this one, but is another (`emailSkeleton`). An address of ASCII alone can only look
 * like one of other characters, which are few; their rows are found by reading all, once per sign-up.
 */
export async function lookalikeOf(db: Db, email: string): Promise<string | undefined> {
  const skeleton = emailSkeleton(email)
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(and(ne(users.email, email), or(eq(users.email, skeleton), sql`${users.email} ~ '[^ -~]'`)))
  return rows.find((row) => emailSkeleton(row.email) === skeleton)?.email
}

export async function userById(db: Db, userId: number): Promise<UserRow | undefined> {
  const rows = await db.select(userColumns).from(users).where(eq(users.id, userId))
  return rows[0]
}

type MyOrganizationRow = Pick<Organization, 'id' | 'name' | 'role'> & {
  deletesAt: string | null
  secondFactorFrom: string | null
  allowsPassword: boolean
  demoEndsAt: string | null
}

/** By id, as a session that began by `method` finds them. At most 1,000, which is what the reply carries. */
export async function organizationsOf(
  db: Db,
  userId: number,
  method: string | undefined,
): Promise<Organization[]> {
  const { rows } = await db.execute<MyOrganizationRow>(sql`
    select id, name, role, deletes_at as "deletesAt", second_factor_from as "secondFactorFrom",
      allows_password as "allowsPassword", demo_ends_at as "demoEndsAt"
    from my_organizations(${userId}) limit 1000`)
  return rows.map(({ id, name, role, deletesAt, secondFactorFrom, allowsPassword, demoEndsAt }) => ({
    id,
    name,
    role,
    ...(deletesAt !== null && { deletesAt: new Date(deletesAt).toISOString() }),
    ...(secondFactorFrom !== null && { secondFactorFrom: new Date(secondFactorFrom).toISOString() }),
    ...(demoEndsAt !== null && { demoEndsAt: new Date(demoEndsAt).toISOString() }),
    ...(!allowsPassword && method === 'password' && { refusesPassword: true as const }),
  }))
}

/** Whether the hash was still the known one, and is replaced. */
export async function replacePasswordHash(
  db: Db,
  userId: number,
  known: string,
  passwordHash: string,
): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, userId), eq(users.passwordHash, known)))
    .returning({ id: users.id })
  return rows.length === 1
}

/** Whether the hash is still the known one, which then stays so until the transaction ends. */
export async function holdPasswordHash(db: Db, userId: number, known: string): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.passwordHash, known)))
    .for('share')
  return rows.length === 1
}

export async function renameUser(db: Db, userId: number, name: string): Promise<void> {
  await db.update(users).set({ name }).where(eq(users.id, userId))
}

/** Ends every session of a user but one, or all, and what was impersonated from them; answers the ids. */
export async function deleteOtherSessions(db: Db, userId: number, keptId?: string): Promise<string[]> {
  const others = and(eq(sessions.userId, userId), keptId === undefined ? undefined : ne(sessions.id, keptId))
  const otherIds = db.select({ id: sessions.id }).from(sessions).where(others)
  return idsOf(
    await db
      .delete(sessions)
      .where(or(others, inArray(sessions.impersonatorSessionId, otherIds)))
      .returning({ id: sessions.id }),
  )
}

/**
 * The session that everything impersonated from this one ends with: the tester's own. Held, so that it cannot end
 * before what begins under it is written; undefined if it has.
 */
export async function holdOwnSession(db: Db, sessionId: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from sessions
    where id = (select coalesce(impersonator_session_id, id) from sessions where id = ${sessionId})
    for key share`)
  return rows[0]?.id
}

export async function insertSession(db: Db, values: typeof sessions.$inferInsert): Promise<void> {
  await db.insert(sessions).values(values)
}

export async function deleteExpiredSessions(db: Db, userId: number, now: Date): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), lt(sessions.expiresAt, now)))
}

/** Ends a session and what was impersonated from it; answers the ids of all. */
export async function deleteSession(db: Db, sessionId: string): Promise<string[]> {
  return idsOf(
    await db
      .delete(sessions)
      .where(or(eq(sessions.id, sessionId), eq(sessions.impersonatorSessionId, sessionId)))
      .returning({ id: sessions.id }),
  )
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

export async function deleteImpersonatedSessions(db: Db): Promise<void> {
  await db.delete(sessions).where(isNotNull(sessions.impersonatorName))
}

export type UserListQuery = { search?: string | undefined; page: number; limit: number }

/** By email address, each with the organization that would be active. Needs `asSystem`. */
export async function listUsers(db: Db, { search, page, limit }: UserListQuery): Promise<GodmodeUser[]> {
  const { rows } = await db.execute<GodmodeUser>(sql`
    select u.id, u.name, u.email, coalesce(m.name, '') as "organizationName", m.role
    from users u
    left join lateral (
      select o.name, m.role
      from memberships m join organizations o on o.id = m.organization_id
      where m.user_id = u.id
      order by (m.organization_id = u.active_organization_id) desc nulls last, m.organization_id
      limit 1
    ) m on true
    where ${matches(search)}
    order by u.email
    limit ${limit} offset ${(page - 1) * limit}`)
  return rows.map(({ id, name, email, organizationName, role }) => ({
    id,
    name,
    email,
    organizationName,
    role,
  }))
}

export function countUsers(db: Db, { search }: UserListQuery): Promise<Total> {
  return countUpTo(db, sql`select 1 from users u where ${matches(search)}`)
}

function matches(search: string | undefined) {
  if (!search) return sql`true`
  return sql`position(lower(${search}) in lower(u.email || ' ' || u.name)) > 0`
}
