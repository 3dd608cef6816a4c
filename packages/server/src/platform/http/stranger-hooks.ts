import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearerToken } from './bearer-token.ts'
import type { Strangers } from './stranger-limits.ts'

/** Counts each reply by whether it was a refusal of somebody unknown or an answer to a live token. */
export function countStrangers(app: FastifyInstance, strangers: Strangers): void {
  app.addHook('onResponse', (request, reply, done) => {
    const token = bearerToken(request.headers.authorization)
    if (isAuthenticated(request, reply)) {
      if (token !== undefined) strangers.accepted(token)
    } else if (reply.statusCode >= 400 && reply.statusCode < 500 && reply.statusCode !== 429) {
      strangers.refused(request.ip, token)
    }
    done()
  })
}

/** A request that is taken as it is authenticates by itself, and answers 401 where that fails. */
function isAuthenticated({ caller, isRaw }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  if (isRaw) return statusCode !== 401 && statusCode !== 429
  return caller?.user !== undefined
}
