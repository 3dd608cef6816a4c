import { Readable } from 'node:stream'
import type { Endpoint, EndpointName, LivePosition } from '@bey/contract'
import { isIdempotent, positionHeader } from '@bey/contract'
import { isServedReadOnly, readOnlyHeader } from '@bey/contract/base/read-only-rules'
import { api } from '@bey/contract/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { allowedBy } from '../audit/grounds.ts'
import type { Refusals } from '../audit/refusals.ts'
import { onBehalfOf } from '../audit/impersonation.ts'
import type { AuditGrounds } from '../../tables/audit-entries.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { type ReadOnlyMode, refusedReadOnly } from '../read-only.ts'
import type { KeyAccess } from '../keys/key-access.ts'
import { actingByKey } from '../keys/key-rights.ts'
import { identify } from './access.ts'
import { Answer } from './answer.ts'
import { bearerToken } from './bearer-token.ts'
import type { Caller, Handlers, PublicCaller, RawHandler, RawName, TenantCaller } from './handlers.ts'
import type { Idempotency } from './idempotency.ts'
import { requireNamedResources } from './key-limits.ts'
import { etagOf, takeIfMatch } from './if-match.ts'
import { inputParser } from './parse.ts'
import type { RateLimiter } from './rate-limits.ts'
import { countRefusal } from './refusals.ts'
import { replySerializer } from './serializer.ts'
import { requireRecentConfirmation } from './step-up.ts'
import { finalReplies } from './waiting/final-reply.ts'
import type { Waits } from './waiting/waits.ts'
import type { AnonymousClients } from './anonymous-limits.ts'

export type MountOptions = {
  database: Database
  keyAccess: KeyAccess
  refusals: Refusals
  anonymousClients: AnonymousClients
  rateLimiter: RateLimiter
  idempotency: Idempotency
  clock: Clock
  waits: Waits
  readOnly: ReadOnlyMode
  /** How far the events of an organization have been heard. */
  position: (organizationId: number) => LivePosition
}

type AnyCaller = PublicCaller & Partial<Caller> & Partial<TenantCaller>
type AnyHandler = (request: object) => Promise<unknown>
type Done = { status: number; json: string; stream?: Readable }

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read. */
    caller: AnyCaller | null
    /** Taken as it is: its endpoint authenticates by itself. */
    isRaw: boolean
  }
}

/** Mounts endpoints of the contract: authenticate, check access, parse, handle, serialize. */
export function mountEndpoints<N extends EndpointName>(
  app: FastifyInstance,
  handlers: Handlers<N>,
  options: MountOptions,
): void {
  app.decorateRequest('caller', null)
  app.decorateRequest('isRaw', false)
  for (const name of Object.keys(handlers) as N[]) {
    const endpoint: Endpoint = api[name]
    if (isRaw(name)) mountRaw(app, endpoint, handlers[name], options)
    else if (endpoint.takesBytes)
      inBytesScope(app, (scope) =>
        mountEndpoint(scope, name, endpoint, handlers[name] as AnyHandler, options),
      )
    // Each handler takes what the parser of its own endpoint gives; the table's type has checked it.
    else mountEndpoint(app, name, endpoint, handlers[name] as AnyHandler, options)
  }
}

function isRaw(name: EndpointName): name is RawName {
  return name.startsWith('kubernetes.proxy')
}

function mountEndpoint(
  app: FastifyInstance,
  name: EndpointName,
  endpoint: Endpoint,
  handler: AnyHandler,
  {
    database,
    keyAccess,
    refusals,
    anonymousClients,
    rateLimiter,
    idempotency,
    clock,
    waits,
    readOnly,
    position,
  }: MountOptions,
): void {
  const parse = inputParser(endpoint)
  const serialize = replySerializer(endpoint)
  const mediaType = mediaTypeOf(endpoint)
  const needsDatabase = endpoint.access !== 'public' || endpoint.method !== 'GET'
  const { rateLimit: purpose } = endpoint
  const isRead = endpoint.method === 'GET'
  const honoursKey = isIdempotent(endpoint)
  const finalReply = finalReplies({ http: app, database, waits })

  function countRefused(caller: AnyCaller | null, error: unknown): void {
    if (!caller?.user || caller.organizationId === undefined || caller.role === undefined) return
    const { user, organizationId, role, key } = caller
    if (key === undefined) countRefusal(refusals, endpoint, { ...caller, user, organizationId, role }, error)
    else if (error instanceof AppError && error.code === 'forbidden') {
      const reason = `${endpoint.method} ${endpoint.path}: ${error.code}`
      keyAccess.refused({ organizationId, key }, reason, caller)
    }
  }

  async function work(input: object, request: FastifyRequest, reply: FastifyReply): Promise<Done> {
    const { caller } = request
    const result = await allowedBy(groundsOf(caller, endpoint), () =>
      actingByKey(caller?.key, () =>
        onBehalfOf(caller?.impersonator, () => handler({ ...input, caller })),
      ).catch((error: unknown) => {
        countRefused(caller, error)
        throw error
      }),
    )
    if (!(result instanceof Answer)) {
      const etag = endpoint.isVersioned && etagOf(result)
      if (etag) reply.header('etag', etag)
      return { status: endpoint.status ?? 200, json: serialize(result) }
    }
    reply.headers(result.headers)
    const status = result.status ?? endpoint.status ?? 200
    // Sent as it comes: what is kept of an idempotent request is never a stream.
    if (result.body instanceof Readable) return { status, json: '', stream: result.body }
    return { status, json: serialize(result.body) }
  }

  app.route({
    method: endpoint.method,
    url: fastifyPath(endpoint.path),
    exposeHeadRoute: endpoint.method === 'GET' && !endpoint.hasEffect,
    // Before the body is read: no unauthenticated body is parsed.
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      const refusal = readOnly.state()
      if (refusal) reply.header(readOnlyHeader, '1')
      if (purpose) rateLimiter.address(purpose, request, reply)
      if (endpoint.access !== 'public')
        anonymousClients.admit(request.ip, bearerToken(request.headers.authorization))
      if (needsDatabase && !database.isUp()) throw databaseDown()
      request.caller = await identify({ database, keyAccess, refusals }, request, endpoint)
      if (request.caller.user) rateLimiter.user(request, reply)
      if (endpoint.stepUp === true || (endpoint.stepUp && request.caller.via === 'session'))
        requireRecentConfirmation(request.caller, clock)
      // After the caller is known: who may not call it learns only that.
      if (refusal && !isServedReadOnly(name, endpoint)) throw refusedReadOnly(refusal)
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      if (endpoint.isVersioned) takeIfMatch(request)
      const input = endpoint.takesBytes ? withBytes(parse(request), request) : parse(request)
      requireNamedResources(endpoint, request, input)
      if (purpose) rateLimiter.account(purpose, request, reply)
      const organizationId = request.caller?.organizationId
      // Before anything is read: what happens from now on may be missing in the reply.
      if (isRead && organizationId !== undefined) reply.header(positionHeader, position(organizationId))
      const done: Done = honoursKey ? await once(input, request, reply) : await work(input, request, reply)
      const { status, json, stream } = await finalReply(endpoint, request, reply, done)
      reply.code(status)
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
      if (status === 204) return reply.send()
      // A handler with several to choose from has set its own.
      if (!reply.hasHeader('content-type')) reply.header('content-type', mediaType)
      return reply.send(stream ?? json)
    },
  })

  async function once(input: object, request: FastifyRequest, reply: FastifyReply) {
    const finish = (body: unknown) => ({ status: endpoint.status ?? 200, json: serialize(body) })
    const answered = await idempotency.once(
      request,
      { name, answersSecret: endpoint.answersSecret === true },
      input,
      finish,
      () => work(input, request, reply),
    )
    if (answered.isReplayed) reply.header('idempotency-replayed', 'true')
    return answered
  }
}

/** What an audit entry of the request says about why it was allowed; nothing where anybody may call. */
function groundsOf(caller: AnyCaller | null, { access }: Endpoint): AuditGrounds | undefined {
  if (caller?.sessionId === undefined) return undefined
  return {
    ...(caller.role && { role: caller.role }),
    ...(access !== 'user' && access !== 'public' && { permission: access }),
    sessionId: caller.sessionId,
  }
}

/** Where every body is taken as bytes, of any media type. */
function inBytesScope(app: FastifyInstance, mount: (scope: FastifyInstance) => void): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    mount(scope)
  })
}

function mountRaw(
  app: FastifyInstance,
  endpoint: Endpoint,
  handler: RawHandler,
  { anonymousClients, readOnly }: Pick<MountOptions, 'anonymousClients' | 'readOnly'>,
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.route({
      method: endpoint.method,
      url: fastifyPath(endpoint.path),
      onRequest: (request: FastifyRequest, _reply, done) => {
        request.isRaw = true
        anonymousClients.admit(request.ip, bearerToken(request.headers.authorization))
        const refusal = readOnly.state()
        if (refusal && endpoint.method !== 'GET') done(refusedReadOnly(refusal))
        else done()
      },
      errorHandler: answerAsCluster,
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        // What it writes goes past Fastify, which would have sent them.
        for (const [name, value] of Object.entries(reply.getHeaders())) {
          if (value !== undefined) reply.raw.setHeader(name, value)
        }
        await handler(request, reply)
        return reply
      },
    })
  })
}

function withBytes(input: object, { body, headers }: FastifyRequest): object {
  return { ...input, headers, bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0) }
}

/** A refusal as Kubernetes words it, which is what a client of the proxy reads. Anything else is answered as elsewhere. */
function answerAsCluster(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof AppError) || (error.code !== 'rate_limited' && error.code !== 'read_only'))
    throw error
  const { message, retryAfterSeconds = 1 } = error
  const [code, reason] = error.code === 'read_only' ? [503, 'ServiceUnavailable'] : [429, 'TooManyRequests']
  void reply.code(code).header('retry-after', retryAfterSeconds).header('cache-control', 'no-store').send({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    details: { retryAfterSeconds },
    code,
  })
}

function mediaTypeOf({ response }: Endpoint): string {
  const type = response instanceof z.ZodType ? 'application/json' : response.mediaType
  return /^(text\/|application\/(json|yaml))/.test(type) ? `${type}; charset=utf-8` : type
}

/** `/a/{id}/*` as the router spells it: `/a/:id/*`. */
function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

function databaseDown(): AppError {
  return new AppError(
    'unavailable',
    'The database does not answer at the moment. Try again in a few seconds.',
  )
}
