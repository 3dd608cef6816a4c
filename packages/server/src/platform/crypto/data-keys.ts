import { createHmac, randomBytes } from 'node:crypto'

import { eq } from 'drizzle-orm'

import { organizationKeys } from '../../tables/organization-keys.ts'
import type { Db } from '../db/transaction.ts'
import type { RootKey } from './root-key.ts'
import { seal, SealError, unseal } from './sealed-box.ts'
import { AppError } from '../errors.ts'

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
    const context = dataKeyContext(organizationId)
    const found = await find(db, organizationId)
    if (found !== undefined) return openKey(found, context)
    await db
      .insert(organizationKeys)
      .values({ organizationId, wrapped: seal(rootKey.key, randomBytes(32), context) })
      .onConflictDoNothing()
    const stored = await find(db, organizationId)
    if (stored === undefined) throw new Error('The data key was not stored')
    return openKey(stored, context)
  }

  function openKey(wrapped: Buffer, context: string): Buffer {
    try {
      return unwrap(rootKey, wrapped, context)
    } catch (cause) {
      // The root key was changed while this server ran with the old one.
      throw new AppError(
        'unavailable',
        `The data key of this organization is wrapped by another root key than ${rootKey.fingerprint}, with which this server runs. Restart the server with the present root key.`,
        { cause },
      )
    }
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

/**
 * Opens what a root key wraps, with the one before too where that is given. Throws SealError where neither
 * does.
 */
export function unwrap(rootKey: RootKey, wrapped: Buffer, context: string): Buffer {
  for (const { key } of [rootKey, ...(rootKey.previous ? [rootKey.previous] : [])]) {
    try {
      return unseal(key, wrapped, context)
    } catch (error) {
      if (!(error instanceof SealError)) throw error
    }
  }
  throw new SealError()
}

export const dataKeyContext = (organizationId: number) => `organization-key:${organizationId}`

async function find(db: Db, organizationId: number): Promise<Buffer | undefined> {
  const rows = await db
    .select({ wrapped: organizationKeys.wrapped })
    .from(organizationKeys)
    .where(eq(organizationKeys.organizationId, organizationId))
  return rows[0]?.wrapped
}
