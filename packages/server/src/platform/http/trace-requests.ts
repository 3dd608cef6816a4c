import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inSpan, type Span, type Tracing } from '../tracing/tracing.ts'
import { readTraceparent, traceparentOf } from '../tracing/traceparent.ts'
import type { TrustsProxy } from './client-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where traces are off. */
    span: Span | undefined
  }
}

/**
 * A span for each request, below that of its caller where it names one. Callers are anybody: only the ids of their header are
 * taken, and whether the trace is recorded is decided here unless a trusted proxy says it.
 */
export function traceRequests(
  app: FastifyInstance,
  tracing: Tracing | undefined,
  trustsProxy: TrustsProxy,
): void {
  app.decorateRequest('span', undefined)
  if (tracing === undefined) return
  const parentOf = ({ headers, socket }: FastifyRequest) => {
    const parent = readTraceparent(headers.traceparent)
    if (parent === undefined) return undefined
    const isBelieved = socket.remoteAddress !== undefined && trustsProxy(socket.remoteAddress)
    return isBelieved ? parent : { ...parent, isSampled: tracing.isSampled(parent.traceId) }
  }
  app.addHook('onRequest', (request, reply, done) => {
    const { method } = request
    // The template of the path: paths hold names, and some of them tokens.
    const route = request.routeOptions.url
    const span = tracing.start(route === undefined ? method : `${method} ${route}`, {
      kind: 'server',
      parent: parentOf(request),
      attributes: { 'http.request.method': method, 'http.route': route, 'bey.request.id': request.id },
    })
    request.span = span
    reply.header('traceresponse', traceparentOf(span))
    inSpan(span, done)
  })
  // A body is read in events of its socket, which belong to no span.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.span === undefined) done()
    else inSpan(request.span, done)
  })
  // Also called where the caller left before its reply was whole.
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const { span, caller } = request
      const status = reply.raw.statusCode
      span?.set({
        'http.response.status_code': status,
        'bey.organization.id': caller?.organizationId,
        'bey.user.id': caller?.user?.id,
      })
      span?.end(status >= 500)
    })
    done()
  })
}
