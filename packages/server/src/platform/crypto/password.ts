import { randomBytes } from 'node:crypto'

import { hash, parseOptions, verify } from '@node-rs/argon2'

import { AppError } from '../errors.ts'

export type PasswordOptions = {
  /** argon2id memory in KiB: 65,536 in production, 19,456 in tests. */
  memoryKib: number
  passes: number
  /** How many are computed at once; each holds `memoryKib`. Default 2. */
  maxConcurrent?: number
  /** How many may wait; more are refused as `unavailable`. Default 64. */
  maxWaiting?: number
}

export type Passwords = {
  hash(password: string): Promise<string>
  /**
   * Whether the password matches. For an unknown user pass undefined or null: a dummy hash is computed, so that the
   * response time does not reveal whether the user exists, and the result is false.
   */
  verify(passwordHash: string | null | undefined, password: string): Promise<boolean>
  /** Whether a hash was made with other parameters than today's and should be made anew at log-in. */
  isOutdated(passwordHash: string): boolean
}

const maxPasswordCharacters = 256

/**
 * argon2id (RFC 9106) in libuv's thread pool, a few at a time, so that a flood of log-ins can neither block the
 * event loop nor take the memory. Throws AppError `invalid_request` for more than 256 characters.
 */
export function createPasswords(options: PasswordOptions): Passwords {
  const parameters = { memoryCost: options.memoryKib, timeCost: options.passes, parallelism: 1 }
  const inTurn = createTurns(options.maxConcurrent ?? 2, options.maxWaiting ?? 64)
  let dummy: Promise<string> | undefined
  return {
    async hash(password) {
      refuseTooLong(password)
      return inTurn(() => hash(password, parameters))
    },
    async verify(passwordHash, password) {
      refuseTooLong(password)
      if (passwordHash == null) {
        dummy ??= inTurn(() => hash(randomBytes(32), parameters))
        const dummyHash = await dummy
        await inTurn(() => verify(dummyHash, password))
        return false
      }
      return inTurn(() => verify(passwordHash, password))
    },
    isOutdated(passwordHash) {
      const made = parseOptions(passwordHash)
      return made.memoryCost !== options.memoryKib || made.timeCost !== options.passes
    },
  }
}

function refuseTooLong(password: string): void {
  if (password.length <= maxPasswordCharacters) return
  const message = `A password has at most ${maxPasswordCharacters} characters.`
  throw new AppError('invalid_request', message, { errors: [{ path: 'password', message }] })
}

function createTurns(maxConcurrent: number, maxWaiting: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= maxConcurrent) {
      if (waiting.length >= maxWaiting) {
        throw new AppError(
          'unavailable',
          'Too many people are logging in at this moment. Try again in a few seconds.',
        )
      }
      // The one who finishes hands its place over, so `running` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
