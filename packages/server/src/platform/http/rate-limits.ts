import type { CredentialPurpose } from '@bey/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { AppError } from '../errors.ts'
import type { KeyAccess } from '../keys/key-access.ts'
import { type RateBuckets, rateBuckets } from '../rate-buckets.ts'
import { networkOf } from './client-address.ts'
import type { KnownDevices } from './known-devices.ts'

/** Requests a minute; those with credentials for each purpose by itself. */
export type RateLimits = {
  credentialsPerAddress: number
  credentialsPerAccount: number
  requestsPerUser: number
}

export const rateLimits: RateLimits = {
  credentialsPerAddress: 10,
  credentialsPerAccount: 5,
  requestsPerUser: 600,
}

/** Each counts a request and throws `rate_limited` when there were too many; the reply's headers say what is left. */
export type RateLimiter = {
  /** Log-ins, codes, sign-ups and the like from one address, before their body is read. */
  address(purpose: CredentialPurpose, request: FastifyRequest, reply: FastifyReply): void
  /**
   * The same for one account, once the body is read: from one address, or from one device that has logged in to the
   * account before. What others guess from elsewhere never counts against the account's owner.
   */
  account(purpose: CredentialPurpose, request: FastifyRequest, reply: FastifyReply): void
  /** Everything that one user asks for, or one API key. */
  user(request: FastifyRequest, reply: FastifyReply): void
}

export type RateLimiterOptions = {
  limits: RateLimits
  clock: Clock
  devices: KnownDevices
  /** Counts requests of API keys. */
  keyAccess: Pick<KeyAccess, 'take'>
}

/** Counts in this process's memory: with several processes each allows as many. */
export function createRateLimiter({ limits, clock, devices, keyAccess }: RateLimiterOptions): RateLimiter {
  const limiter = (perMinute: number) => {
    const buckets = rateBuckets(clock, { burst: perMinute, perSecond: perMinute / 60 })
    return (key: string, reply: FastifyReply) => answerLimit(buckets.take(key), perMinute, reply)
  }
  const address = limiter(limits.credentialsPerAddress)
  const accountAtAddress = limiter(limits.credentialsPerAccount)
  const accountOnDevice = limiter(limits.credentialsPerAccount)
  const user = limiter(limits.requestsPerUser)
  return {
    address(purpose, { headers, ip }, reply) {
      // Which account it is for stands in the body: `account` counts it if it is not the device's own.
      if (devices.anyDeviceOf(headers) === undefined) address(`${purpose} ${networkOf(ip)}`, reply)
    },
    account(purpose, request, reply) {
      const { headers, ip } = request
      const email = accountOf(request)
      const place = `${purpose} ${networkOf(ip)}`
      const anyDevice = devices.anyDeviceOf(headers)
      // What names no account, such as a code, is counted by its address alone, or by the device: others at the address
      // do not keep it out.
      if (email === '')
        return anyDevice === undefined ? undefined : accountOnDevice(`${purpose} ${anyDevice}`, reply)
      const device = devices.deviceOf(headers, email)
      if (device !== undefined) return accountOnDevice(`${purpose} ${device} ${email}`, reply)
      if (anyDevice !== undefined) address(place, reply)
      accountAtAddress(`${place} ${email}`, reply)
    },
    user({ caller }, reply) {
      if (!caller?.key) return user(String(caller?.user?.id), reply)
      const { perMinute, ...verdict } = keyAccess.take(caller.key)
      answerLimit(verdict, perMinute, reply)
    },
  }
}

/** Says what is left of a limit, and throws `rate_limited` where that is nothing. */
function answerLimit(
  { isAllowed, remaining, retryAfterMs }: ReturnType<RateBuckets['take']>,
  perMinute: number,
  reply: FastifyReply,
): void {
  const seconds = Math.ceil(retryAfterMs / 1000)
  reply.header('x-ratelimit-limit', perMinute)
  reply.header('x-ratelimit-remaining', remaining)
  reply.header('x-ratelimit-reset', seconds)
  if (isAllowed) return
  reply.header('retry-after', seconds)
  throw new AppError(
    'rate_limited',
    `Too many requests. At most ${perMinute} a minute are answered; try again in ${seconds} s.`,
  )
}

/**
 * The caller's own email address, else that in a body that was parsed already, else the token of a link that represents
 * an account. Twenty colleagues behind one address, each with an invitation, are twenty accounts.
 */
function accountOf({ body, caller }: FastifyRequest): string {
  if (caller?.user) return caller.user.email
  if (typeof body !== 'object' || body === null) return ''
  if ('email' in body && typeof body.email === 'string') return body.email.trim().toLowerCase()
  return 'token' in body && typeof body.token === 'string' ? body.token : ''
}
