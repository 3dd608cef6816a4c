import { createHmac, randomBytes } from 'node:crypto'

import { eq } from 'drizzle-orm'

import { organizationKeys } from '../../tables/organization-keys.ts'
import type { Db } from '../db/transaction.ts'
import type { RootKey } from './root-key.ts'
import { seal, unseal } from './sealed-box.ts'

export type DataKeys = {
  /** Encrypts a value of an organization; call inside its `withTenant`. `context` names the row, e.g. `cluster-token:7`. */
  seal(db: Db, organizationId: number, plain: Buffer | string, context: string): Promise<Buffer>
  /** Throws SealError for another organization's value, another row's, or one that was changed. */
  unseal(db: Db, organizationId: number, sealed: Buffer, context: string): Promise<Buffer>
  /** The same for many values: the key is read once, and is good for this transaction. */
  opener(db: Db, organizationId: number): Promise<(sealed: Buffer, context: string) => Buffer>
  /** A keyed hash (HMAC-SHA-256) that says of two values of one organization whether they are the same. */
  fingerprint(db: Db, organizationId: number, plain: Buffer, context: string): Promise<string>
}

/** One data key per organization, made at its first use and stored wrapped by the root key. */
export function createDataKeys(rootKey: RootKey): DataKeys {
  // Read each time, not cached: the transaction that made a key may still be rolled back.
  async function keyOf(db: Db, organizationId: number): Promise<Buffer> {
    const context = `organization-key:${organizationId}`
    const found = await find(db, organizationId)
    if (found !== undefined) return unseal(rootKey.key, found, context)
    await db
      .insert(organizationKeys)
      .values({ organizationId, wrapped: seal(rootKey.key, randomBytes(32), context) })
      .onConflictDoNothing()
    const stored = await find(db, organizationId)
    if (stored === undefined) throw new Error('The data key was not stored')
    return unseal(rootKey.key, stored, context)
  }

  const bind = (organizationId: number, context: string) => `organization:${organizationId}:${context}`

  return {
    seal: async (db, organizationId, plain, context) =>
      seal(await keyOf(db, organizationId), plain, bind(organizationId, context)),
    unseal: async (db, organizationId, sealed, context) =>
      unseal(await keyOf(db, organizationId), sealed, bind(organizationId, context)),
    async opener(db, organizationId) {
      const key = await keyOf(db, organizationId)
      return (sealed, context) => unseal(key, sealed, bind(organizationId, context))
    },
    async fingerprint(db, organizationId, plain, context) {
      const key = createHmac('sha256', await keyOf(db, organizationId))
        .update(`fingerprint:${bind(organizationId, context)}`)
        .digest()
      return createHmac('sha256', key).update(plain).digest('base64url')
    },
  }
}

async function find(db: Db, organizationId: number): Promise<Buffer | undefined> {
  const rows = await db
    .select({ wrapped: organizationKeys.wrapped })
    .from(organizationKeys)
    .where(eq(organizationKeys.organizationId, organizationId))
  return rows[0]?.wrapped
}
