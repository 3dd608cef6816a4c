import { eq, sql } from 'drizzle-orm'
import type { Clock } from '../../platform/clock.ts'
import type { RootKey } from '../../platform/crypto/root-key.ts'
import { seal, unseal } from '../../platform/crypto/sealed-box.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Certificate, CertificateSource } from '../../platform/http/tls-listener.ts'
import type { Log } from '../../platform/log.ts'
import { serverKeys } from '../../tables/server-keys.ts'
import { createAuthority, createLeaf, type KeyPair, leafLifetimeMs } from './certificate.ts'

const day = 24 * 60 * 60 * 1000
const currentName = 'https-ca'
const nextName = 'https-ca-next'

/** A successor is made, and put into kubeconfigs, this long before the authority expires. */
export const successorAheadMs = 60 * day
/** The successor takes over this long before; by then every living kubeconfig (7 days at most) trusts it. */
export const takeoverAheadMs = 30 * day
const checkPeriodMs = day / 2

export type ServerCertificate = CertificateSource & {
  /** PEM of the authorities that a client must trust to reach this server, today and after the next renewal. */
  trusted(): string
  /** Renews what is due; happens by itself twice a day. */
  renew(): Promise<void>
  stop(): void
}

type Deps = { database: Pick<Database, 'asSystem'>; rootKey: RootKey; clock: Clock; log: Log }

/**
 * The certificate of the HTTPS listener for `hosts`. Its authority is kept sealed in the database, so all
 * processes share it and kubeconfigs outlive a restart; the leaf lives in memory only.
 */
export async function openServerCertificate(
  deps: Deps,
  hosts: readonly string[],
): Promise<ServerCertificate> {
  const { clock, log } = deps
  const listeners = new Set<(certificate: Certificate) => void>()
  let authorities = await loadAuthorities(deps)
  let leaf = await createLeaf(authorities.current, hosts, clock.now())

  const current = (): Certificate => ({
    key: leaf.keyPem,
    cert: leaf.certificatePem,
    ca: authorities.current.certificatePem,
  })

  let renewing: Promise<void> | undefined
  // One at a time: each loads and replaces what the next would start from.
  const renew = () => (renewing ??= renewOnce().finally(() => (renewing = undefined)))

  async function renewOnce(): Promise<void> {
    const before = authorities.current.certificatePem
    authorities = await loadAuthorities(deps)
    const isLeafOld = leaf.expiresAt.getTime() - clock.now().getTime() < leafLifetimeMs / 3
    if (!isLeafOld && before === authorities.current.certificatePem) return
    leaf = await createLeaf(authorities.current, hosts, clock.now())
    for (const listener of listeners) listener(current())
  }

  const stop = clock.setInterval(() => {
    renew().catch((error: unknown) => log.error({ err: error }, 'The HTTPS certificate was not renewed'))
  }, checkPeriodMs)

  return {
    current,
    trusted: () => [authorities.current, authorities.next].map((each) => each?.certificatePem ?? '').join(''),
    onRenewed(callback) {
      listeners.add(callback)
      return () => listeners.delete(callback)
    },
    renew,
    stop,
  }
}

type Authorities = { current: KeyPair; next: KeyPair | undefined }

function loadAuthorities({ database, rootKey, clock }: Deps): Promise<Authorities> {
  return database.asSystem('keep the authority of the HTTPS certificate', async (db) => {
    // Of several processes that start at once, one makes the authority and the others read it.
    await db.execute(sql`select pg_advisory_xact_lock(hashtext(${currentName}))`)
    const now = clock.now()
    const restMs = (authority: KeyPair) => authority.expiresAt.getTime() - now.getTime()
    let current =
      (await read(db, rootKey, currentName)) ??
      (await write(db, rootKey, currentName, await createAuthority(now)))
    let next = await read(db, rootKey, nextName)
    if (restMs(current) < successorAheadMs)
      next ??= await write(db, rootKey, nextName, await createAuthority(now))
    if (next && restMs(current) < takeoverAheadMs) {
      current = await write(db, rootKey, currentName, next)
      await db.delete(serverKeys).where(eq(serverKeys.name, nextName))
      next = undefined
    }
    return { current, next }
  })
}

async function read(db: Db, rootKey: RootKey, name: string): Promise<KeyPair | undefined> {
  const rows = await db
    .select({ sealed: serverKeys.sealed, publicPem: serverKeys.publicPem, expiresAt: serverKeys.expiresAt })
    .from(serverKeys)
    .where(eq(serverKeys.name, name))
  const [row] = rows
  if (!row?.publicPem || !row.expiresAt) return undefined
  // The key is bound to its certificate, not to its row: the successor moves from one row to the other.
  const keyPem = unseal(rootKey.key, row.sealed, `https-ca:${row.publicPem}`).toString('utf8')
  return { keyPem, certificatePem: row.publicPem, expiresAt: row.expiresAt }
}

async function write(db: Db, rootKey: RootKey, name: string, pair: KeyPair): Promise<KeyPair> {
  const values = {
    sealed: seal(rootKey.key, pair.keyPem, `https-ca:${pair.certificatePem}`),
    publicPem: pair.certificatePem,
    expiresAt: pair.expiresAt,
  }
  await db
    .insert(serverKeys)
    .values({ name, ...values })
    .onConflictDoUpdate({ target: serverKeys.name, set: values })
  return pair
}

/** Names and addresses that the certificate is for: this machine's own, and the host of the public URL. */
export function certificateHosts(publicUrl: string | undefined): string[] {
  const host = publicUrl && new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  return [...new Set(['localhost', '127.0.0.1', '::1', ...(host ? [host] : [])])]
}
