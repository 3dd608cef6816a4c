import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearerToken } from './bearer-token.ts'
import type { AnonymousClients } from './anonymous-limits.ts'

/** Counts each reply: refused and anonymous, or answered for a valid token. */
export function countAnonymousClients(app: FastifyInstance, anonymousClients: AnonymousClients): void {
  app.addHook('onResponse', (request, reply, done) => {
    const token = bearerToken(request.headers.authorization)
    if (isAuthenticated(request, reply)) {
      if (token !== undefined) anonymousClients.accepted(token)
    } else if (reply.statusCode >= 400 && reply.statusCode < 500 && reply.statusCode !== 429) {
      anonymousClients.refused(request.ip, token)
    }
    done()
  })
}

/** A request that is taken as it is authenticates by itself, and answers 401 where that fails. */
function isAuthenticated({ caller, isRaw }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  if (isRaw) return statusCode !== 401 && statusCode !== 429
  return caller?.user !== undefined
}
