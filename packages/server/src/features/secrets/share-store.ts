import { and, count, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { secretShares } from '../../tables/secret-shares.ts'
import { users } from '../../tables/users.ts'

export type ShareRow = Awaited<ReturnType<typeof listShares>>[number]

const columns = {
  id: secretShares.id,
  secretId: secretShares.secretId,
  createdBy: secretShares.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: secretShares.createdAt,
  expiresAt: secretShares.expiresAt,
  openedAt: secretShares.openedAt,
  openedIp: secretShares.openedIp,
  revokedAt: secretShares.revokedAt,
}

const byId = (organizationId: number, id: string) =>
  and(eq(secretShares.organizationId, organizationId), eq(secretShares.id, id))

export async function insertShare(db: Db, values: typeof secretShares.$inferInsert): Promise<void> {
  await db.insert(secretShares).values(values)
}

/** Newest first; of a secret, of a person, or one alone. */
export function listShares(
  db: Db,
  organizationId: number,
  { id, secretId, createdBy, limit }: { id?: string; secretId?: string; createdBy?: number; limit: number },
) {
  return db
    .select(columns)
    .from(secretShares)
    .leftJoin(users, eq(users.id, secretShares.createdBy))
    .where(
      and(
        eq(secretShares.organizationId, organizationId),
        id === undefined ? undefined : eq(secretShares.id, id),
        secretId === undefined ? undefined : eq(secretShares.secretId, secretId),
        createdBy === undefined ? undefined : eq(secretShares.createdBy, createdBy),
      ),
    )
    .orderBy(desc(secretShares.createdAt), desc(secretShares.id))
    .limit(limit)
}

export async function countWaiting(db: Db, organizationId: number, now: Date): Promise<number> {
  const rows = await db
    .select({ count: count() })
    .from(secretShares)
    .where(
      and(
        eq(secretShares.organizationId, organizationId),
        isNotNull(secretShares.ciphertext),
        gt(secretShares.expiresAt, now),
      ),
    )
  return rows[0]?.count ?? 0
}

/** Its ciphertext while it waits to be opened; nobody else opens it until the transaction ends. */
export async function lockWaiting(db: Db, organizationId: number, id: string, now: Date) {
  const rows = await db
    .select({ ciphertext: secretShares.ciphertext, secretId: secretShares.secretId })
    .from(secretShares)
    .where(and(byId(organizationId, id), isNotNull(secretShares.ciphertext), gt(secretShares.expiresAt, now)))
    .for('update')
  return rows[0]
}

export async function deleteShares(db: Db, organizationId: number, secretId: string): Promise<void> {
  await db
    .delete(secretShares)
    .where(and(eq(secretShares.organizationId, organizationId), eq(secretShares.secretId, secretId)))
}

/** Wipes a ciphertext; false where it is wiped already. */
export async function wipeShare(
  db: Db,
  organizationId: number,
  id: string,
  how: { openedAt: Date; openedIp: string } | { revokedAt: Date },
): Promise<boolean> {
  const rows = await db
    .update(secretShares)
    .set({ ...how, ciphertext: null })
    .where(and(byId(organizationId, id), isNull(secretShares.openedAt), isNull(secretShares.revokedAt)))
    .returning({ id: secretShares.id })
  return rows.length > 0
}
