import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

/** What a page of ours may load and do: nothing of foreign origin, no inline script. */
const contentSecurityPolicy = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  // The chosen primitives set styles at run time.
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'worker-src': ["'self'", 'blob:'],
  'object-src': ["'none'"],
  'base-uri': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
}

/** helmet's headers on every reply. They never differ, so helmet is asked for them once and not at each request. */
export function sendSecurityHeaders(app: FastifyInstance): void {
  const headers = headersOf(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy },
      // It would bind every port of this host name to https; that is for the proxy that terminates TLS to decide.
      strictTransportSecurity: false,
      xFrameOptions: { action: 'deny' },
      referrerPolicy: { policy: 'same-origin' },
    }),
  )
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

function headersOf(middleware: ReturnType<typeof helmet>): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  middleware(request, response, () => undefined)
  return response.getHeaders()
}
