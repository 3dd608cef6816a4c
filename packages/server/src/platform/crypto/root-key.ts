import { createHash, randomBytes } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'drizzle-orm'

import { ConfigError } from '../errors.ts'
import { serverKeys } from '../../tables/server-keys.ts'
import type { Database } from '../db/database.ts'
import { seal, SealError, unseal } from './sealed-box.ts'

export type RootKey = {
  key: Buffer
  /** First 16 hex digits of its SHA-256: names a key without giving it away. */ fingerprint: string
  /** Accepted too, while stored keys move from one to the other. */
  previous?: Pick<RootKey, 'key' | 'fingerprint'>
}

const keyFileName = 'secret.key'
/** Seals nothing but the fingerprint of the key that the database belongs to. */
export const checkName = 'root-key-check'

/** The root key: `BEY_SECRET_KEY`, else the key file (made with mode 0600 at the first start). */
export async function loadRootKey(
  secretKey: Buffer | undefined,
  dataDir: string,
  previous?: Buffer,
): Promise<RootKey> {
  const key = secretKey ?? (await readKeyFile(join(dataDir, keyFileName)))
  const known = { key, fingerprint: fingerprintOf(key) }
  if (previous === undefined || previous.equals(key)) return known
  return { ...known, previous: { key: previous, fingerprint: fingerprintOf(previous) } }
}

/**
 * Compares the key with the one that this database was first used with. Throws ConfigError naming both
 * fingerprints if they differ: starting with a wrong key would make every stored secret unreadable.
 */
export async function checkRootKey(database: Database, rootKey: RootKey): Promise<void> {
  const { key, fingerprint } = rootKey
  const kept = await database.asSystem('check the root key', async (db) => {
    await db
      .insert(serverKeys)
      .values({ name: checkName, sealed: seal(key, checkName, fingerprint), publicPem: fingerprint })
      .onConflictDoNothing()
    const rows = await db
      .select({ sealed: serverKeys.sealed, fingerprint: serverKeys.publicPem })
      .from(serverKeys)
      .where(sql`${serverKeys.name} = ${checkName}`)
    return rows[0]
  })
  if (kept === undefined) throw new Error('The root key check was not stored')
  try {
    unseal(key, kept.sealed, fingerprint)
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw new ConfigError(
      `The root key ${fingerprint} does not belong to this database, which was made with ${kept.fingerprint ?? 'another'}. Set BEY_SECRET_KEY to that key, or BEY_SECRET_KEY_PREVIOUS where ${fingerprint} shall replace it, or put its ${keyFileName} back into the data directory.`,
      { cause: error },
    )
  }
}

export function fingerprintOf(key: Buffer): string {
  return createHash('sha256').update('bey-root-key').update(key).digest('hex').slice(0, 16)
}

async function readKeyFile(file: string): Promise<Buffer> {
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(`The key file ${file} cannot be read (${error.code}). Mend its permissions.`, {
      cause: error,
    })
  })
  if (found === undefined) return makeKeyFile(file)
  if (((await stat(file)).mode & 0o077) !== 0) {
    throw new ConfigError(`Others than its owner can read the key file ${file}. Run: chmod 600 ${file}`)
  }
  const key = Buffer.from(found.trim(), 'base64')
  if (key.length !== 32) {
    throw new ConfigError(
      `The key file ${file} is damaged. Restore it from a backup; without it stored secrets are lost.`,
    )
  }
  return key
}

async function makeKeyFile(file: string): Promise<Buffer> {
  const key = randomBytes(32)
  const partial = `${file}.${randomBytes(4).toString('hex')}`
  const handle = await open(partial, 'wx', 0o600)
  try {
    await handle.writeFile(`${key.toString('base64')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    // Unlike rename, link does not replace: of two first starts one makes the key, the other reads it.
    await link(partial, file)
    return key
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return await readKeyFile(file)
    throw error
  } finally {
    await rm(partial, { force: true })
  }
}
