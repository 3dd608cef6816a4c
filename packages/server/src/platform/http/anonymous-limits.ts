import type { Clock } from '../clock.ts'
import { hashToken } from '../crypto/token.ts'
import { AppError } from '../errors.ts'
import { type Rate, rateBuckets } from '../rate-buckets.ts'
import { networkOf } from './client-address.ts'

export type AnonymousLimits = {
  /** Requests, sockets and tokens that were refused. */
  refusalsPerAddress: Rate
  refusalsInAll: Rate
  /** Connections that ask to become a socket. */
  upgradesPerAddress: Rate
}

export const anonymousLimits: AnonymousLimits = {
  refusalsPerAddress: { burst: 300, perSecond: 5 },
  refusalsInAll: { burst: 5_000, perSecond: 500 },
  upgradesPerAddress: { burst: 300, perSecond: 10 },
}

/**
 * What is refused counts against its address and against everybody whom this server does not know; past the limit it
 * is refused before the database is asked. Whoever holds a token that was found live is known, so that nobody behind
 * the same address is locked out.
 */
export type AnonymousClients = {
  /** Throws `rate_limited` where the address, or all together, were refused too often. */
  admit(address: string, token: string | undefined): void
  /** The same as an answer. */
  mayTry(address: string, token: string | undefined): boolean
  /** The same for a connection that asks to become a socket, which counts as well. */
  admitUpgrade(address: string, token: string | undefined): void
  /** Counts a refusal; a token that was known is forgotten. */
  refused(address: string, token: string | undefined): void
  /** The token was found live. */
  accepted(token: string): void
}

const maxKnownTokens = 20_000

/** Counts in this process's memory. */
export function createAnonymousClients(
  clock: Clock,
  limits: AnonymousLimits = anonymousLimits,
): AnonymousClients {
  const perAddress = rateBuckets(clock, limits.refusalsPerAddress)
  const inAll = rateBuckets(clock, limits.refusalsInAll, 1)
  const upgrades = rateBuckets(clock, limits.upgradesPerAddress)
  /** Hashes of live tokens, those last seen at the end. */
  const known = new Set<string>()

  const isKnown = (token: string | undefined) => token !== undefined && known.has(keyOf(token))

  function waitOf(address: string, token: string | undefined): number {
    if (isKnown(token)) return 0
    return Math.max(perAddress.peek(networkOf(address)).retryAfterMs, inAll.peek('').retryAfterMs)
  }

  function admit(address: string, token: string | undefined): void {
    const waitMs = waitOf(address, token)
    if (waitMs > 0) throw tooMany(waitMs)
  }

  return {
    admit,
    mayTry: (address, token) => waitOf(address, token) === 0,
    admitUpgrade(address, token) {
      if (isKnown(token)) return
      // A browser's socket says who it is only once it is open.
      if (token !== undefined) admit(address, token)
      const { isAllowed, retryAfterMs } = upgrades.take(networkOf(address))
      if (!isAllowed) throw tooMany(retryAfterMs)
    },
    refused(address, token) {
      if (token !== undefined) known.delete(keyOf(token))
      perAddress.take(networkOf(address))
      inAll.take('')
    },
    accepted(token) {
      const key = keyOf(token)
      known.delete(key)
      known.add(key)
      const [oldest] = known
      if (known.size > maxKnownTokens && oldest !== undefined) known.delete(oldest)
    },
  }
}

function keyOf(token: string): string {
  return hashToken(token).toString('base64')
}

function tooMany(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000)
  return new AppError(
    'rate_limited',
    `Too many requests from this address were refused. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  )
}
