import type { FastifyInstance, FastifyRequest } from 'fastify'
import { uuidv7 } from '../crypto/uuid.ts'
import type { Log } from '../log.ts'

/** The id that a proxy in front of us gave the request, if it is sane; else a new one. */
export function requestId(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[\w.:-]{8,64}$/.test(header) ? header : uuidv7()
}

/**
 * One line for each answered request: changes and refusals at `info`, failures at `error`, plain reads at
 * `debug`. Paths are logged without their query, bodies and headers never.
 */
export function logRequests(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    const level = levelOf(request, statusCode)
    if (log.isLevelEnabled(level)) {
      log[level](
        {
          requestId: request.id,
          traceId: request.span?.traceId,
          method: request.method,
          path: pathOf(request.url),
          status: statusCode,
          durationMs: Math.round(reply.elapsedTime * 10) / 10,
          userId: request.caller?.user?.id,
          organizationId: request.caller?.organizationId,
          ip: request.ip,
        },
        'Request',
      )
    }
    done()
  })
}

function levelOf(request: FastifyRequest, status: number): 'debug' | 'info' | 'warn' | 'error' {
  // 502 to 504: a server that was asked for the reply did not give it.
  if (status >= 500) return status >= 502 && status <= 504 ? 'warn' : 'error'
  if (status >= 400) return 'info'
  return request.method === 'GET' || request.method === 'HEAD' ? 'debug' : 'info'
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return (end === -1 ? url : url.slice(0, end)).slice(0, 500)
}
