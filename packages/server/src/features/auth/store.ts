import { and, eq, lt, sql } from 'drizzle-orm'
import type { Organization } from '@bey/contract'
import type { Db } from '../../platform/db/database.ts'
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
  values: { email: string; name: string; passwordHash: string },
): Promise<number> {
  const rows = await db.insert(users).values(values).returning({ id: users.id })
  const [row] = rows
  if (row === undefined) throw new Error('The user was not inserted')
  return row.id
}

export async function userById(db: Db, userId: number): Promise<UserRow | undefined> {
  const rows = await db.select(userColumns).from(users).where(eq(users.id, userId))
  return rows[0]
}

/** By id. At most 1,000, which is what the reply carries. */
export async function organizationsOf(db: Db, userId: number): Promise<Organization[]> {
  const { rows } = await db.execute<Organization>(
    sql`select id, name, role from my_organizations(${userId}) limit 1000`,
  )
  return rows.map(({ id, name, role }) => ({ id, name, role }))
}

export async function setPasswordHash(db: Db, userId: number, passwordHash: string): Promise<void> {
  await db.update(users).set({ passwordHash }).where(eq(users.id, userId))
}

export async function insertSession(
  db: Db,
  values: { id: string; userId: number; tokenHash: Buffer; expiresAt: Date; ip: string; userAgent: string },
): Promise<void> {
  await db.insert(sessions).values(values)
}

export async function deleteExpiredSessions(db: Db, userId: number, now: Date): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), lt(sessions.expiresAt, now)))
}

export async function deleteSession(db: Db, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId))
}
