import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { passkeys } from '../../../tables/passkeys.ts'

export type PasskeyRow = typeof passkeys.$inferSelect

const columns = {
  id: passkeys.id,
  userId: passkeys.userId,
  name: passkeys.name,
  publicKey: passkeys.publicKey,
  counter: passkeys.counter,
  transports: passkeys.transports,
  relyingParty: passkeys.relyingParty,
  isBackedUp: passkeys.isBackedUp,
  createdAt: passkeys.createdAt,
  lastUsedAt: passkeys.lastUsedAt,
}

/** The oldest first. */
export async function passkeysOf(db: Db, userId: number): Promise<PasskeyRow[]> {
  return db.select(columns).from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.createdAt))
}

export async function passkeyById(db: Db, id: string): Promise<PasskeyRow | undefined> {
  const rows = await db.select(columns).from(passkeys).where(eq(passkeys.id, id))
  return rows[0]
}

/** Undefined where the credential is known already, to whomever it belongs. */
export async function insertPasskey(
  db: Db,
  values: typeof passkeys.$inferInsert,
): Promise<PasskeyRow | undefined> {
  const rows = await db.insert(passkeys).values(values).onConflictDoNothing().returning(columns)
  return rows[0]
}

/** Notes a use; false where the passkey is gone or was used since `counter` was read. */
export async function countPasskeyUse(
  db: Db,
  id: string,
  { counter, newCounter, now }: { counter: number; newCounter: number; now: Date },
): Promise<boolean> {
  const rows = await db
    .update(passkeys)
    .set({ counter: newCounter, lastUsedAt: now })
    .where(and(eq(passkeys.id, id), eq(passkeys.counter, counter)))
    .returning({ id: passkeys.id })
  return rows.length === 1
}

/** Its name, where it was the user's. */
export async function deletePasskey(db: Db, userId: number, id: string): Promise<string | undefined> {
  const rows = await db
    .delete(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning({ name: passkeys.name })
  return rows[0]?.name
}
