import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { ConfigError } from '../errors.ts'
import { keyFileName, locateRootKey, type RootKeySources, unwrapRootKey } from './root-key.ts'

export type KeyServiceFact = {
  /** Why a start would not get the root key now, as a sentence with what to do; null: it would. */
  problem: string | null
  /** A file of the data directory that holds the root key all the same. */
  plainFile: string | null
}

/** Somebody waits for the answer, and a service that is away is found at the first try. */
const patienceMs = 3_000

/** Whether a start would get the root key of the key service; null where none has it. */
export async function checkKeyService(sources: RootKeySources): Promise<KeyServiceFact | null> {
  if (sources.keyService === undefined) return null
  const plain = join(sources.dataDir, keyFileName)
  const plainFile = existsSync(plain) ? plain : null
  try {
    const place = await locateRootKey(sources)
    if (place.kind === 'service')
      await unwrapRootKey(place, undefined, { withinMs: patienceMs, isOnce: true })
    return { problem: null, plainFile }
  } catch (error) {
    if (error instanceof ConfigError) return { problem: error.message, plainFile }
    throw error
  }
}
