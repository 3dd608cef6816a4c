import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { unreachable } from '@bey/contract'
import { sql } from 'drizzle-orm'

import { ConfigError } from '../errors.ts'
import { serverKeys } from '../../tables/server-keys.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import { type KeyService, withRetries } from './key-service/key-service.ts'
import { openKeyService } from './key-service/open-key-service.ts'
import { type KeyServiceConfig, serviceSettings } from './key-service/read-key-service.ts'
import { seal, SealError, unseal } from './sealed-box.ts'
import {
  readWrappedFile,
  type WrappedKey,
  wrappedFileName,
  writeKeyText,
  writeWrappedFile,
} from './wrapped-key.ts'

export type RootKey = {
  key: Buffer
  /** First 16 hex digits of its SHA-256: names a key without giving it away. */ fingerprint: string
  /** Accepted too, while stored keys move from one to the other. */
  previous?: Pick<RootKey, 'key' | 'fingerprint'>
}

/** Where a root key can come from. */
export type RootKeySources = {
  /** Of BEY_SECRET_KEY. */
  secretKey: Buffer | undefined
  keyService: KeyServiceConfig | undefined
  dataDir: string
}

/** Where the root key is; `none`: it was never made. */
export type RootKeyPlace =
  | { kind: 'environment' | 'file'; key: Buffer }
  | { kind: 'service'; service: KeyServiceConfig; wrapped: WrappedKey; isInFile: boolean }
  | { kind: 'none' }

export const keyFileName = 'secret.key'
/** Seals nothing but the fingerprint of the key that the database belongs to. */
export const checkName = 'root-key-check'
/** A request to the key service may take so long; a start tries again for as long as it is set to. */
const attemptMs = 5_000

/**
 * The root key of a server: `BEY_SECRET_KEY`, the key that the key service opens, or else the key file. Where there is none, it is
 * made at the first start, and wrapped or kept in the key file (mode 0600). Throws ConfigError.
 */
export async function loadRootKey(sources: RootKeySources, log: Log, previous?: Buffer): Promise<RootKey> {
  const key = await keyAt(await locateRootKey(sources), sources, log)
  const known = { key, fingerprint: fingerprintOf(key) }
  if (previous === undefined || previous.equals(key)) return known
  return { ...known, previous: { key: previous, fingerprint: fingerprintOf(previous) } }
}

async function keyAt(place: RootKeyPlace, sources: RootKeySources, log: Log): Promise<Buffer> {
  switch (place.kind) {
    case 'none':
      return makeRootKey(sources, log)
    case 'service':
      return unwrapRootKey(place, log)
    case 'environment':
    case 'file':
      return place.key
    default:
      return unreachable(place)
  }
}

/** Finds the root key without opening it. Throws ConfigError where what is set says two things, or a file cannot be used. */
export async function locateRootKey({
  secretKey,
  keyService,
  dataDir,
}: RootKeySources): Promise<RootKeyPlace> {
  if (secretKey !== undefined && keyService !== undefined) {
    throw new ConfigError(
      `BEY_SECRET_KEY and ${keyService.setting} are both set. Unset BEY_SECRET_KEY once bey root-key wrap has wrapped it, or unset ${keyService.setting}.`,
    )
  }
  if (secretKey !== undefined) return { kind: 'environment', key: secretKey }
  const keyFile = join(dataDir, keyFileName)
  const wrappedFile = join(dataDir, wrappedFileName)
  const inFile = await readWrappedFile(wrappedFile)
  const wrapped = keyService?.wrapped ?? inFile
  if (keyService !== undefined && wrapped !== undefined) {
    return { kind: 'service', service: keyService, wrapped, isInFile: keyService.wrapped === undefined }
  }
  const key = await readKeyFile(keyFile)
  if (keyService !== undefined && key !== undefined) {
    throw new ConfigError(
      `${keyService.setting} is set, but the root key in ${keyFile} is not wrapped yet. Run bey root-key wrap, then move that file to where you keep backups of keys.`,
    )
  }
  if (key !== undefined) return { kind: 'file', key }
  if (keyService === undefined && inFile !== undefined) {
    throw new ConfigError(
      `The root key ${inFile.fingerprint} is wrapped in ${wrappedFile} by a key service. Set ${serviceSettings} to it, or give the root key itself: BEY_SECRET_KEY or ${keyFile}.`,
    )
  }
  return { kind: 'none' }
}

/** Lets the key service open the root key. Throws KeyServiceProblem, or ConfigError where it is not the key that was wrapped. */
export async function unwrapRootKey(
  { service, wrapped }: Pick<Extract<RootKeyPlace, { kind: 'service' }>, 'service' | 'wrapped'>,
  log: Log | undefined,
  { withinMs = service.timeoutMs, isOnce = false } = {},
): Promise<Buffer> {
  return withKeyService(
    service,
    async (opened) => {
      const open = () => opened.unwrap(wrapped.ciphertext)
      const setting = service.timeoutSetting
      const key = await (isOnce ? open() : withRetries(open, { withinMs, setting, log }))
      if (key.length === 32 && fingerprintOf(key) === wrapped.fingerprint) return key
      throw new ConfigError(
        `What ${opened.name} opened is not the root key ${wrapped.fingerprint}. Restore the wrapped root key from where you keep it.`,
      )
    },
    withinMs,
  )
}

/** Lets the key service wrap a root key, and open it again as proof. Throws KeyServiceProblem and ConfigError. */
export async function wrapRootKey(
  key: Buffer,
  service: KeyServiceConfig,
  log: Log | undefined,
): Promise<WrappedKey> {
  const { timeoutMs: withinMs, timeoutSetting: setting } = service
  const ciphertext = await withKeyService(service, (opened) =>
    withRetries(() => opened.wrap(key), { withinMs, setting, log }),
  )
  const wrapped = { fingerprint: fingerprintOf(key), ciphertext }
  await unwrapRootKey({ service, wrapped }, log)
  return wrapped
}

async function withKeyService<T>(
  config: KeyServiceConfig,
  work: (service: KeyService) => Promise<T>,
  withinMs = config.timeoutMs,
): Promise<T> {
  const service = await openKeyService(config, Math.min(attemptMs, withinMs))
  try {
    return await work(service)
  } finally {
    await service.close()
  }
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

/** Undefined where there is no such file. */
async function readKeyFile(file: string): Promise<Buffer | undefined> {
  const found = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new ConfigError(`The key file ${file} cannot be read (${error.code}). Mend its permissions.`, {
      cause: error,
    })
  })
  if (found === undefined) return undefined
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

async function makeRootKey(sources: RootKeySources, log: Log): Promise<Buffer> {
  const { keyService, dataDir } = sources
  const key = randomBytes(32)
  const isKept =
    keyService === undefined
      ? await writeKeyText(join(dataDir, keyFileName), key.toString('base64'), false)
      : await writeWrappedFile(join(dataDir, wrappedFileName), await wrapRootKey(key, keyService, log), false)
  // Another process of the same directory was first.
  return isKept ? key : keyAt(await locateRootKey(sources), sources, log)
}
