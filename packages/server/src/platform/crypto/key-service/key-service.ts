import { setTimeout as sleep } from 'node:timers/promises'

import { ConfigError } from '../../errors.ts'
import type { Log } from '../../log.ts'

/** Encrypts the root key outside of this process, under a key that never leaves the service. */
export type KeyService = {
  /** What to call it in messages, such as `the key "bey" of vault.example.com:8200`. */
  name: string
  /** Answers the ciphertext, one word of ASCII. Throws KeyServiceProblem. */
  wrap(rootKey: Buffer): Promise<string>
  /** Reverses `wrap`; of any length. Throws KeyServiceProblem. */
  unwrap(ciphertext: string): Promise<Buffer>
  close(): Promise<void>
}

/** Why a key service did not do its work, with what to do. Never holds a key, a token or what the service answered. */
export class KeyServiceProblem extends ConfigError {
  /** Whether it may be over in a moment. */
  readonly isTransient: boolean

  constructor(message: string, options: { isTransient: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'KeyServiceProblem'
    this.isTransient = options.isTransient
  }
}

const firstPauseMs = 250
const longestPauseMs = 5_000

/** Tries again, after longer and longer pauses, while the service is away, for `withinMs` at most. Throws KeyServiceProblem. */
export async function withRetries<T>(
  work: () => Promise<T>,
  { withinMs, setting, log }: { withinMs: number; setting: string; log: Log | undefined },
): Promise<T> {
  const beganMs = performance.now()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof KeyServiceProblem) || !error.isTransient) throw error
      const leftMs = withinMs - (performance.now() - beganMs)
      if (leftMs < pauseMs) {
        throw new KeyServiceProblem(
          `${error.message} It was tried for ${Math.round(withinMs / 1_000)} s (${setting}).`,
          { isTransient: true, cause: error },
        )
      }
      log?.warn({ reason: error.message }, 'The key service does not give the root key yet; trying again')
      await sleep(pauseMs)
    }
  }
}
