import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import { type Endpoint, versionHeader } from '@bey/contract'
import type { Log } from '../log.ts'
import { AppError } from '../errors.ts'
import type { TrustsProxy } from './client-address.ts'
import { bearerToken } from './bearer-token.ts'
import { compression } from './compression.ts'
import { serveConsole } from './console-files.ts'
import { readJsonBodies } from './json-body.ts'
import { answerProblem } from './problem.ts'
import { answerMalformed } from './malformed.ts'
import { logRequests, requestId } from './request-log.ts'
import { answerUnrouted, methodTable, originForm } from './routing.ts'
import { sendSecurityHeaders } from './security-headers.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { traceRequests } from './trace-requests.ts'
import { countAnonymousClients } from './anonymous-hooks.ts'
import type { AnonymousClients } from './anonymous-limits.ts'
import { asksForUpgrade } from './upgrades.ts'

const maxBodyBytes = 1024 * 1024

export type HttpOptions = {
  log: Log
  /** Said on every reply, so that `bey` sees where it differs. */
  version: string
  trustsProxy: TrustsProxy
  anonymousClients: AnonymousClients
  /** Makes no spans unless given. */
  tracing?: Tracing | undefined
  isStopping(): boolean
  /** Another URL for a request, before it is routed; undefined leaves it. */
  rewriteUrl?(request: Pick<IncomingMessage, 'url' | 'headers'>): string | undefined
  /** Where the built console is; undefined serves none. */
  consoleDir: string | undefined
  /** What is served, to tell an unknown path from a known one with another method. */
  endpoints: readonly Endpoint[]
}

/** A Fastify with the console but no endpoint, that refuses what is malformed, names every request and answers problem documents. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { log } = options
  const app = fastify({
    logger: false,
    http: { shouldUpgradeCallback: asksForUpgrade },
    rewriteUrl: (request) => {
      const url = originForm(request.url ?? '/')
      return options.rewriteUrl?.({ url, headers: request.headers }) ?? url
    },
    bodyLimit: maxBodyBytes,
    trustProxy: options.trustsProxy,
    requestIdHeader: false,
    genReqId: (request) => requestId(request.headers['x-request-id']),
    routerOptions: { maxParamLength: 200 },
    connectionTimeout: 0,
    keepAliveTimeout: 75_000,
    // The slowest upload of a body; replies may take as long as they like (watches).
    requestTimeout: 60_000,
    // Ours says it as a problem document, see below.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => answerProblem(error, request, reply, log),
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, options.anonymousClients),
  })
  // Fastify itself refuses a QUERY without a content type, in words and with a status that are not ours.
  app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true })
  app.setErrorHandler((error, request, reply) => answerProblem(error, request, reply, log))
  // The first hook, so that refusals of the others are in the span too.
  traceRequests(app, options.tracing, options.trustsProxy)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'x-request-id': request.id, [versionHeader]: options.version })
    warnOfUnknownProxy(request)
    if (!options.isStopping()) return done()
    reply.header('connection', 'close')
    done(new AppError('unavailable', 'The server is stopping. Try again in a few seconds.'))
  })
  let hasWarned = false
  function warnOfUnknownProxy({ headers, socket }: FastifyRequest): void {
    const { remoteAddress } = socket
    if (hasWarned || headers['x-forwarded-for'] === undefined || remoteAddress === undefined) return
    if (options.trustsProxy(remoteAddress)) return
    hasWarned = true
    log.warn(
      { address: remoteAddress },
      'X-Forwarded-For is not believed, for its sender is not in BEY_TRUSTED_PROXIES',
    )
  }
  sendSecurityHeaders(app)
  readJsonBodies(app)
  logRequests(app, log)
  countAnonymousClients(app, options.anonymousClients)
  await app.register(compress, compression)
  const page =
    options.consoleDir === undefined ? () => undefined : await serveConsole(app, options.consoleDir)
  const table = methodTable(options.endpoints)
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/'))
      options.anonymousClients.admit(request.ip, bearerToken(request.headers.authorization))
    return answerUnrouted(table, page, request, reply)
  })
  return app
}
