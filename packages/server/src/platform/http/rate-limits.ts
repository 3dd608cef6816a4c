import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** Requests a minute. */
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
  /** Log-ins, sign-ups and changes of password from one address. */
  address(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Log-ins, sign-ups and changes of password for one email address, wherever they come from. */
  account(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Everything that one user asks for. */
  user(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

/** Counts in this process's memory: with several processes each allows as many. */
export async function createRateLimiter(app: FastifyInstance, limits: RateLimits): Promise<RateLimiter> {
  // Enough that nobody gets rid of a count by pushing it out with made-up accounts.
  await app.register(rateLimit, { global: false, timeWindow: 60_000, cache: 50_000 })
  const limiter = (max: number, keyGenerator: (request: FastifyRequest) => string) => {
    const count = app.createRateLimit({ max, keyGenerator })
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const verdict = await count(request)
      if (verdict.isAllowed) return
      reply.header('x-ratelimit-limit', verdict.max)
      reply.header('x-ratelimit-remaining', verdict.remaining)
      reply.header('x-ratelimit-reset', verdict.ttlInSeconds)
      if (!verdict.isExceeded) return
      reply.header('retry-after', verdict.ttlInSeconds)
      throw new AppError(
        'rate_limited',
        `Too many requests. At most ${max} a minute are answered; try again in ${verdict.ttlInSeconds} s.`,
      )
    }
  }
  return {
    address: limiter(limits.credentialsPerAddress, (request) => request.ip),
    account: limiter(limits.credentialsPerAccount, accountOf),
    user: limiter(limits.requestsPerUser, (request) => String(request.caller?.user?.id)),
  }
}

/** The caller's own email address, else that in a body that was parsed already. */
function accountOf({ body, caller }: FastifyRequest): string {
  if (caller?.user) return caller.user.email
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : undefined
  return typeof email === 'string' ? email.trim().toLowerCase() : ''
}
