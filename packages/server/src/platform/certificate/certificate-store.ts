import { createHash, X509Certificate } from 'node:crypto'
import { and, eq, like, lt } from 'drizzle-orm'
import type { RootKey } from '../crypto/root-key.ts'
import { unwrap } from '../crypto/data-keys.ts'
import { seal } from '../crypto/sealed-box.ts'
import type { Database, Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/locks.ts'
import { serverKeys } from '../../tables/server-keys.ts'
import type { KeyPair } from './certificate.ts'
import { leafLifetimeMs, successorAheadMs, takeoverAheadMs } from './certificate-terms.ts'

const authorityName = 'https-ca'
const successorName = 'https-ca-next'

export type CertificateStore = { database: Pick<Database, 'asSystem'>; rootKey: RootKey }

export type Certificates = { authority: KeyPair; successor: KeyPair | undefined; leaf: KeyPair }

/** What a certificate is for: those of one purpose for the same names are shared by all processes. */
export type CertificatePurpose = 'https' | 'database'

/** What is kept, after making and renewing what is missing or due at `now`. One authority signs for every purpose. */
export function loadCertificates(
  { database, rootKey }: CertificateStore,
  hosts: readonly string[],
  now: Date,
  purpose: CertificatePurpose = 'https',
): Promise<Certificates> {
  return database.asSystem('keep the certificates of this server', async (db) => {
    // Of several processes that start at once, one makes what is missing and the others read it.
    await lockUntilCommit(db, 'serverKey', authorityName)
    const keys = { db, rootKey }
    const { authority, successor } = await loadAuthorities(keys, now)
    const leafName = `${purpose}-leaf:${createHash('sha256').update(hosts.join()).digest('hex').slice(0, 16)}`
    const found = await read(keys, leafName)
    if (found && isGood(found, authority, now)) return { authority, successor, leaf: found }
    const { createLeaf } = await library()
    const leaf = await write(keys, leafName, await createLeaf(authority, hosts, now))
    // Names change, as those of containers do: nobody presents one that has expired.
    await db
      .delete(serverKeys)
      .where(and(like(serverKeys.name, `${purpose}-leaf:%`), lt(serverKeys.expiresAt, now)))
    return { authority, successor, leaf }
  })
}

// Loaded when something has to be made, four times a year: it takes 20 MB and a noticeable part of a start.
const library = () => import('./certificate.ts')

type Keys = { db: Db; rootKey: RootKey }

async function loadAuthorities(keys: Keys, now: Date): Promise<Omit<Certificates, 'leaf'>> {
  const make = async (name: string) => write(keys, name, await (await library()).createAuthority(now))
  const authority = (await read(keys, authorityName)) ?? (await make(authorityName))
  const restMs = authority.expiresAt.getTime() - now.getTime()
  if (restMs >= successorAheadMs) return { authority, successor: undefined }
  const successor = (await read(keys, successorName)) ?? (await make(successorName))
  if (restMs >= takeoverAheadMs) return { authority, successor }
  await write(keys, authorityName, successor)
  await keys.db.delete(serverKeys).where(eq(serverKeys.name, successorName))
  return { authority: successor, successor: undefined }
}

function isGood(leaf: KeyPair, authority: KeyPair, now: Date): boolean {
  if (leaf.expiresAt.getTime() - now.getTime() < leafLifetimeMs / 3) return false
  return new X509Certificate(leaf.certificatePem).checkIssued(new X509Certificate(authority.certificatePem))
}

async function read({ db, rootKey }: Keys, name: string): Promise<KeyPair | undefined> {
  const rows = await db
    .select({
      sealed: serverKeys.sealed,
      publicPem: serverKeys.publicPem,
      expiresAt: serverKeys.expiresAt,
    })
    .from(serverKeys)
    .where(eq(serverKeys.name, name))
  const [row] = rows
  if (!row?.publicPem || !row.expiresAt) return undefined
  const keyPem = unwrap(rootKey, row.sealed, keyContext(row.publicPem)).toString('utf8')
  return { keyPem, certificatePem: row.publicPem, expiresAt: row.expiresAt }
}

async function write({ db, rootKey }: Keys, name: string, pair: KeyPair): Promise<KeyPair> {
  const values = {
    sealed: seal(rootKey.key, pair.keyPem, keyContext(pair.certificatePem)),
    publicPem: pair.certificatePem,
    expiresAt: pair.expiresAt,
  }
  await db
    .insert(serverKeys)
    .values({ name, ...values })
    .onConflictDoUpdate({ target: serverKeys.name, set: values })
  return pair
}

/** A key is bound to its certificate, not to its row: a successor moves from one row to the other. */
export const keyContext = (certificatePem: string) => `https-key:${certificatePem}`
