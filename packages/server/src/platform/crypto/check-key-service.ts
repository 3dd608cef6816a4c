import { existsSync } from 'node:fs'
import { join } from 'node:path'

import type { Clock } from '../clock.ts'
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

/** Pages look every few seconds, and the service writes each request into its audit log. */
const freshMs = 60_000

/** Like `checkKeyService`, but asks the service once a minute at most, however many ask. */
export function watchKeyService(sources: RootKeySources, clock: Pick<Clock, 'monotonicMs'>) {
  let askedAtMs = Number.NEGATIVE_INFINITY
  let found: ReturnType<typeof checkKeyService> | undefined
  return () => {
    const nowMs = clock.monotonicMs()
    if (found === undefined || nowMs - askedAtMs >= freshMs) {
      askedAtMs = nowMs
      found = checkKeyService(sources)
    }
    return found
  }
}

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
