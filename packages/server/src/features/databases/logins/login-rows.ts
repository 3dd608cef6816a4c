import { type DatabaseLogin, loginLimits, loginStatus } from '@bey/contract'
import { and, asc, desc, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { presentActor } from '../../../platform/present-actor.ts'
import { databaseLogins } from '../../../tables/database-logins.ts'
import { users } from '../../../tables/users.ts'

export type LoginRow = Awaited<ReturnType<typeof findLogin>> & {}

function selectLogins(db: Db, organizationId: number, condition: SQL | undefined) {
  return db
    .select({
      id: databaseLogins.id,
      databaseId: databaseLogins.databaseId,
      username: databaseLogins.username,
      mode: databaseLogins.mode,
      reason: databaseLogins.reason,
      expiresAt: databaseLogins.expiresAt,
      endedAt: databaseLogins.endedAt,
      createdBy: databaseLogins.createdBy,
      createdByName: users.name,
      createdByEmail: users.email,
      createdAt: databaseLogins.createdAt,
    })
    .from(databaseLogins)
    .leftJoin(users, eq(users.id, databaseLogins.createdBy))
    .where(and(eq(databaseLogins.organizationId, organizationId), condition))
    .$dynamic()
}

const ofDatabase = (databaseId: string) => eq(databaseLogins.databaseId, databaseId)

/** Those that have not ended first, then the newest. */
export function listLogins(db: Db, organizationId: number, databaseId: string) {
  return selectLogins(db, organizationId, ofDatabase(databaseId))
    .orderBy(desc(sql`${databaseLogins.endedAt} is null`), desc(databaseLogins.createdAt))
    .limit(loginLimits.listed)
}

export async function findLogin(db: Db, organizationId: number, databaseId: string, id: string) {
  const [row] = await selectLogins(db, organizationId, and(ofDatabase(databaseId), eq(databaseLogins.id, id)))
  return row
}

/** Logins that a server may still have, the oldest first. */
export function listOpenLogins(db: Db, organizationId: number, databaseId: string) {
  return selectLogins(db, organizationId, and(ofDatabase(databaseId), isNull(databaseLogins.endedAt)))
    .orderBy(asc(databaseLogins.createdAt))
    .limit(loginLimits.listed)
}

export function countOpenLogins(db: Db, organizationId: number, databaseId: string): Promise<number> {
  return db.$count(
    databaseLogins,
    and(
      eq(databaseLogins.organizationId, organizationId),
      ofDatabase(databaseId),
      isNull(databaseLogins.endedAt),
    ),
  )
}

export async function insertLogin(db: Db, values: typeof databaseLogins.$inferInsert): Promise<void> {
  await db.insert(databaseLogins).values(values)
}

/** Lets a login end now, unless it has; its server is asked to remove it by whoever looks next. */
export async function expireLogin(db: Db, organizationId: number, id: string, now: Date): Promise<void> {
  await db
    .update(databaseLogins)
    .set({ expiresAt: sql`least(${databaseLogins.expiresAt}, ${now.toISOString()}::timestamptz)` })
    .where(
      and(
        eq(databaseLogins.organizationId, organizationId),
        eq(databaseLogins.id, id),
        isNull(databaseLogins.endedAt),
      ),
    )
}

/** Notes that the server has no such user any more; true unless that was noted before. */
export async function endLogin(db: Db, organizationId: number, id: string, now: Date): Promise<boolean> {
  const rows = await db
    .update(databaseLogins)
    .set({ endedAt: now })
    .where(
      and(
        eq(databaseLogins.organizationId, organizationId),
        eq(databaseLogins.id, id),
        isNull(databaseLogins.endedAt),
        lte(databaseLogins.expiresAt, now),
      ),
    )
    .returning({ id: databaseLogins.id })
  return rows.length > 0
}

export function presentLogin(row: LoginRow, now: Date): DatabaseLogin {
  const { id, databaseId, username, mode, reason, expiresAt, endedAt } = row
  return {
    id,
    databaseId,
    username,
    mode,
    reason,
    status: loginStatus({ expiresAtMs: expiresAt.getTime(), hasEnded: endedAt !== null }, now.getTime()),
    expiresAt: expiresAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
  }
}
