import { and, eq, isNull, lt } from 'drizzle-orm'
import { idempotencyKeys } from '../../tables/idempotency-keys.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import type { Db } from '../db/database.ts'

/** `organizationId` is 0 for what is done outside any organization. */
export type KeyScope = { organizationId: number; userId: number; endpoint: string; key: string }

export type KeyRow = {
  id: string
  requestHash: Buffer
  /** Null while the first request is being answered. */
  statusCode: number | null
  response: unknown
  createdAt: Date
}

/** The new row's id, or undefined if the key is in use. */
export async function insertKey(db: Db, scope: KeyScope, requestHash: Buffer): Promise<string | undefined> {
  const rows = await db
    .insert(idempotencyKeys)
    .values({ id: uuidv7(), ...scope, requestHash })
    .onConflictDoNothing()
    .returning({ id: idempotencyKeys.id })
  return rows[0]?.id
}

export async function findKey(db: Db, scope: KeyScope): Promise<KeyRow | undefined> {
  const rows = await db
    .select({
      id: idempotencyKeys.id,
      requestHash: idempotencyKeys.requestHash,
      statusCode: idempotencyKeys.statusCode,
      response: idempotencyKeys.response,
      createdAt: idempotencyKeys.createdAt,
    })
    .from(idempotencyKeys)
    .where(
      and(
        eq(idempotencyKeys.organizationId, scope.organizationId),
        eq(idempotencyKeys.userId, scope.userId),
        eq(idempotencyKeys.endpoint, scope.endpoint),
        eq(idempotencyKeys.key, scope.key),
      ),
    )
    .for('update')
  return rows[0]
}

export async function deleteKey(db: Db, id: string): Promise<void> {
  await db.delete(idempotencyKeys).where(eq(idempotencyKeys.id, id))
}

/** Forgets a key whose request has failed; one that was completed stays. */
export async function deleteOpenKey(db: Db, id: string): Promise<void> {
  await db.delete(idempotencyKeys).where(and(eq(idempotencyKeys.id, id), isNull(idempotencyKeys.statusCode)))
}

export async function deleteKeysBefore(db: Db, before: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before))
}

/** Whether the key was still there and open, and has its reply now. */
export async function completeKey(
  db: Db,
  id: string,
  statusCode: number,
  response: unknown,
): Promise<boolean> {
  const rows = await db
    .update(idempotencyKeys)
    .set({ statusCode, response })
    .where(and(eq(idempotencyKeys.id, id), isNull(idempotencyKeys.statusCode)))
    .returning({ id: idempotencyKeys.id })
  return rows.length === 1
}
