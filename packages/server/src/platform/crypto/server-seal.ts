import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { serverKeys } from '../../tables/server-keys.ts'
import { keyContext } from '../certificate/certificate-store.ts'
import type { Database } from '../db/database.ts'
import { unwrap } from './data-keys.ts'
import type { RootKey } from './root-key.ts'
import { seal, unseal } from './sealed-box.ts'

const keyName = 'server-data-key'
const context = keyContext('')

/** Encrypts what belongs to the server and its users rather than to an organization. */
export type ServerSeal = {
  /** `context` names the row, e.g. `user-totp:7`. */
  seal(plain: Buffer | string, context: string): Buffer
  /** Throws SealError for another row's value, or one that was changed. */
  unseal(sealed: Buffer, context: string): Buffer
}

/** Under a data key of its own, made at the first start and stored wrapped by the root key. */
export async function openServerSeal(
  database: Pick<Database, 'asSystem'>,
  rootKey: RootKey,
): Promise<ServerSeal> {
  const key = await loadServerKey(database, rootKey, keyName)
  const bind = (row: string) => `server:${row}`
  return {
    seal: (plain, row) => seal(key, plain, bind(row)),
    unseal: (sealed, row) => unseal(key, sealed, bind(row)),
  }
}

/** 32 random bytes that all processes of an installation share: made by the first one, and stored wrapped by the root key. */
export async function loadServerKey(
  database: Pick<Database, 'asSystem'>,
  rootKey: RootKey,
  name: string,
): Promise<Buffer> {
  const wrapped = await database.asSystem('open a key of the server', async (db) => {
    await db
      .insert(serverKeys)
      .values({ name, sealed: seal(rootKey.key, randomBytes(32), context) })
      .onConflictDoNothing()
    const rows = await db
      .select({ sealed: serverKeys.sealed })
      .from(serverKeys)
      .where(eq(serverKeys.name, name))
    return rows[0]?.sealed
  })
  if (wrapped === undefined) throw new Error(`The key ${name} of the server was not stored`)
  return unwrap(rootKey, wrapped, context)
}
