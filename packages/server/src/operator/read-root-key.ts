import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { serviceSettings } from '../platform/crypto/key-service/read-key-service.ts'
import {
  fingerprintOf,
  keyFileName,
  locateRootKey,
  type RootKey,
  type RootKeyPlace,
  type RootKeySources,
  unwrapRootKey,
} from '../platform/crypto/root-key.ts'
import { parseWrappedKey, type WrappedKey } from '../platform/crypto/wrapped-key.ts'
import { ConfigError } from '../platform/errors.ts'

export type FoundRootKey = { rootKey: RootKey; place: Exclude<RootKeyPlace, { kind: 'none' }> }

type Options = {
  /** Holds a key or a wrapped one; undefined: as a server finds it. */
  keyFile?: string | undefined
  /** A wrapped root key, asked for only where there is a key service and none for it to open. */
  fallback?: () => Promise<WrappedKey | undefined>
}

/**
 * The root key that a server would start with, or that of `keyFile`. Makes none, unlike the
 * start of a server. Throws ConfigError.
 */
export async function readRootKey(
  sources: RootKeySources,
  { keyFile, fallback }: Options = {},
): Promise<FoundRootKey> {
  let place = await (keyFile === undefined || sources.secretKey !== undefined
    ? locateRootKey(sources)
    : locateIn(keyFile, sources))
  if (place.kind === 'none' && sources.keyService !== undefined) {
    const wrapped = await fallback?.()
    if (wrapped) place = { kind: 'service', service: sources.keyService, wrapped, isInFile: true }
  }
  if (place.kind === 'none') {
    throw new ConfigError(
      `There is no root key in ${join(sources.dataDir, keyFileName)}. Set BEY_SECRET_KEY, or put its file there; where a key service has it, set ${serviceSettings}.`,
    )
  }
  const key = place.kind === 'service' ? await unwrapRootKey(place, undefined) : place.key
  return { rootKey: { key, fingerprint: fingerprintOf(key) }, place }
}

async function locateIn(file: string, { keyService }: RootKeySources): Promise<FoundRootKey['place']> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigError(
      `There is no root key in ${file}. Set BEY_SECRET_KEY, or put its file there; where a key service has it, set ${serviceSettings}.`,
      {
        cause,
      },
    )
  })
  const wrapped = parseWrappedKey(text)
  if (wrapped !== undefined && keyService !== undefined)
    return { kind: 'service', service: keyService, wrapped, isInFile: true }
  if (wrapped !== undefined) {
    throw new ConfigError(
      `The root key ${wrapped.fingerprint} in ${file} is wrapped by a key service. Set ${serviceSettings} to it.`,
    )
  }
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === 32) return { kind: 'file', key }
  throw new ConfigError(`The key file ${file} is damaged. Restore it from where you keep it.`)
}
