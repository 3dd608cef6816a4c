import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { like } from 'drizzle-orm'

import { serverKeys } from '../../tables/server-keys.ts'
import { keyContext } from '../certificate/certificate-store.ts'
import { unwrap } from '../crypto/data-keys.ts'
import type { RootKey } from '../crypto/root-key.ts'
import { seal } from '../crypto/sealed-box.ts'
import type { Database } from '../db/database.ts'
import { lockUntilCommit } from '../db/locks.ts'

/** Signs checkpoints with Ed25519 (RFC 8032). */
export type SigningKey = {
  /** First 16 hex digits of the SHA-256 of its public part. */
  id: string
  sign(text: string): Buffer
  /** Public parts in PEM by their ids: of this key and of every one before it. */
  publicKeys: ReadonlyMap<string, string>
}

const namePrefix = 'audit-signing:'

/** The key of this database, sealed with the root key; made at the first start. */
export function loadSigningKey(database: Pick<Database, 'asSystem'>, rootKey: RootKey): Promise<SigningKey> {
  return database.asSystem('load the key that signs audit checkpoints', async (db) => {
    // Of several processes that start at once, one makes the key and the others read it.
    await lockUntilCommit(db, 'serverKey', namePrefix)
    const rows = await db
      .select({ sealed: serverKeys.sealed, publicPem: serverKeys.publicPem })
      .from(serverKeys)
      .where(like(serverKeys.name, `${namePrefix}%`))
      .orderBy(serverKeys.createdAt)
    if (rows.length === 0) {
      const made = makeKey()
      const sealed = seal(rootKey.key, made.privatePem, keyContext(made.publicPem))
      await db
        .insert(serverKeys)
        .values({ name: `${namePrefix}${idOf(made.publicPem)}`, sealed, publicPem: made.publicPem })
      rows.push({ sealed, publicPem: made.publicPem })
    }
    const publicKeys = new Map(rows.map(({ publicPem }) => [idOf(publicPem ?? ''), publicPem ?? '']))
    const newest = rows.at(-1)
    if (!newest?.publicPem) throw new Error('The signing key of the audit trail has no public part')
    const pem = unwrap(rootKey, newest.sealed, keyContext(newest.publicPem)).toString('utf8')
    return signingKey(idOf(newest.publicPem), createPrivateKey(pem), publicKeys)
  })
}

function signingKey(id: string, key: KeyObject, publicKeys: ReadonlyMap<string, string>): SigningKey {
  return { id, publicKeys, sign: (text) => sign(null, Buffer.from(text, 'utf8'), key) }
}

export function isSignedBy(publicPem: string, text: string, signature: Buffer): boolean {
  return verify(null, Buffer.from(text, 'utf8'), publicPem, signature)
}

function makeKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicPem: publicKey, privatePem: privateKey }
}

function idOf(publicPem: string): string {
  return createHash('sha256').update(publicPem).digest('hex').slice(0, 16)
}
