import type { Endpoint, Permission } from '@bey/contract'
import type { FastifyRequest } from 'fastify'
import { hashToken } from '../crypto/token.ts'
import type { Database } from '../db/database.ts'
import { authenticateSession, impersonatorOf, type SessionIdentity } from '../db/gateway.ts'
import { AppError } from '../errors.ts'
import type { Refusals } from '../audit/refusals.ts'
import { requireAdmission } from '../policies/refusal.ts'
import type { KeyAccess, KeyCaller } from '../keys/key-access.ts'
import { whyNot } from '../keys/key-rights.ts'
import { isKeyToken } from '../keys/key-token.ts'
import { bearerToken } from './bearer-token.ts'
import type { Caller, PublicCaller, TenantCaller } from './handlers.ts'
import { requireResourceInPath } from './key-limits.ts'
import { countForeign, countRefusedSession } from './refusals.ts'
import { countsAsUse } from './unattended.ts'

const maxId = 2_147_483_647

type Parts = { database: Database; keyAccess: KeyAccess; refusals: Refusals }

/** Decides once per request who calls and whether the endpoint is open to them; throws AppError where it is not. */
export async function identify(
  { database, keyAccess, refusals }: Parts,
  request: FastifyRequest,
  endpoint: Endpoint,
): Promise<PublicCaller | Caller | TenantCaller> {
  const { access, mayHaveSession } = endpoint
  const origin = originOf(request)
  if (access === 'public') return mayHaveSession ? withSession(database, request, origin) : origin
  const token = bearerToken(request.headers.authorization)
  if (token === undefined) throw unauthenticated()
  if (isKeyToken(token)) return byKey(keyAccess, token, request, endpoint)
  // What belongs to the user alone does not depend on the organization, which a client may still send.
  const requested = access === 'user' ? undefined : requestedOrganization(request)
  const tokenHash = hashToken(token)
  const session = await authenticateSession(database.pool, tokenHash, requested, countsAsUse(request.headers))
  if (session === undefined) throw unauthenticated()
  const caller = callerOf(session, tokenHash, origin)
  if (access === 'user') return caller
  try {
    const tenant = tenantCaller(caller, session, request, requested, access)
    refuseWhileDeleting(endpoint, session)
    return tenant
  } catch (error) {
    if (requested !== undefined && session.organizationId === null)
      countForeign(refusals, endpoint, session, origin, requested)
    else countRefusedSession(refusals, endpoint, session, origin, error)
    throw error
  }
}

/** A key belongs to one organization and says which by itself. What it is refused is recorded. */
async function byKey(
  keyAccess: KeyAccess,
  token: string,
  request: FastifyRequest,
  endpoint: Endpoint,
): Promise<TenantCaller> {
  const origin = originOf(request)
  const requested = endpoint.access === 'user' ? undefined : requestedOrganization(request)
  const found = await keyAccess.authenticate(token, origin)
  if (found === undefined) throw unknownKey()
  try {
    if (requested !== undefined && requested !== found.organizationId) throw noSuchOrganization()
    refuseMismatch(request, found.organizationId)
    requireKeyMayCall(endpoint, found)
    refuseWhileDeleting(endpoint, found)
    requireResourceInPath(endpoint, request, found.key)
  } catch (error) {
    if (error instanceof AppError)
      keyAccess.refused(found, `${endpoint.method} ${endpoint.path}: ${error.code}`, origin)
    throw error
  }
  return { ...origin, ...found, sessionId: found.key.secretId, via: 'api_key' }
}

function requireKeyMayCall({ access, keys, isForEveryKey }: Endpoint, { role, key }: KeyCaller): void {
  if (access === 'public' || isForEveryKey) return
  if (access === 'user' || keys === 'none') {
    throw new AppError(
      'forbidden',
      'An API key cannot do this: it belongs to a person. Log in to the console for it.',
    )
  }
  if (keys === 'personal' && !key.isPersonal) {
    throw new AppError(
      'forbidden',
      `The API key "${key.name}" belongs to the organization, and this to a person. Use a personal key.`,
    )
  }
  const reason = whyNot({ role, key }, access)
  if (reason !== undefined) throw new AppError('forbidden', reason)
}

async function withSession(database: Database, request: FastifyRequest, origin: PublicCaller) {
  const token = bearerToken(request.headers.authorization)
  if (token === undefined) return origin
  const tokenHash = hashToken(token)
  const session = await authenticateSession(database.pool, tokenHash, undefined, countsAsUse(request.headers))
  return session === undefined ? origin : { ...origin, session: callerOf(session, tokenHash, origin) }
}

function callerOf(session: SessionIdentity, tokenHash: Buffer, origin: PublicCaller): Caller {
  const impersonator = impersonatorOf(session)
  return {
    ...origin,
    user: { id: session.userId, email: session.email, name: session.name },
    sessionId: session.sessionId,
    tokenHash,
    via: 'session',
    confirmedAt: session.confirmedAt,
    method: session.method,
    ...(impersonator && { impersonator }),
  }
}

export function originOf(request: FastifyRequest): PublicCaller {
  const bearer = bearerToken(request.headers.authorization)
  return {
    ...(bearer !== undefined && { bearer }),
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
    requestId: request.id,
    host: request.host,
    cookie: request.headers.cookie?.slice(0, maxCookieLength),
    prefersHtml: request.headers.accept?.includes('text/html') === true,
    isForwarded: forwardingHeaders.some((name) => request.headers[name] !== undefined),
  }
}

const maxCookieLength = 8192

const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip']

function unauthenticated(): AppError {
  return new AppError('unauthenticated', 'There is no live session for this request. Log in again.')
}

function unknownKey(): AppError {
  return new AppError(
    'unauthenticated',
    'This API key does not work: it is misspelt, has expired, or was revoked or replaced. Make a new one in the settings of the workspace.',
  )
}

function noSuchOrganization(): AppError {
  return new AppError(
    'not_found',
    'There is no such organization among yours. Choose one of yours, or ask its owner for an invitation.',
  )
}

function tenantCaller(
  caller: Caller,
  session: SessionIdentity,
  request: FastifyRequest,
  requested: number | undefined,
  permission: Permission,
): TenantCaller {
  const { organizationId, organizationName, role } = session
  if (organizationId === null || organizationName === null || role === null) {
    if (requested !== undefined) throw noSuchOrganization()
    throw new AppError(
      'organization_required',
      'You do not belong to an organization yet. Create one, or ask for an invitation.',
    )
  }
  refuseMismatch(request, organizationId)
  requireAdmission(session.policies, { email: session.email, ip: caller.ip, method: session.method })
  if (whyNot({ role }, permission) !== undefined) {
    throw new AppError(
      'forbidden',
      `Your role ${role} in ${organizationName} does not hold the permission ${permission}. An owner or admin of the organization can change it.`,
    )
  }
  return { ...caller, organizationId, organizationName, role }
}

function refuseWhileDeleting(
  { method, worksWhileDeleting }: Endpoint,
  { organizationName, organizationDeletesAt }: SessionIdentity | KeyCaller,
): void {
  if (organizationDeletesAt === null || method === 'GET' || worksWhileDeleting) return
  throw new AppError(
    'organization_deleting',
    `${organizationName} is deleted on ${organizationDeletesAt.toISOString().slice(0, 10)} and can only be read until then. An owner can undo that in the settings of the organization.`,
  )
}

function requestedOrganization(request: FastifyRequest): number | undefined {
  const header = request.headers['x-organization-id']
  if (header === undefined) return undefined
  const id = parseId(header)
  if (id === undefined) {
    throw invalid('x-organization-id', 'Send the numeric id of one organization.')
  }
  return id
}

function refuseMismatch(request: FastifyRequest, organizationId: number): void {
  const given = (request.query as Record<string, unknown>)['organization_id']
  if (given === undefined) return
  const id = parseId(given)
  if (id === undefined) throw invalid('organization_id', 'Send the numeric id of one organization.')
  if (id !== organizationId) {
    throw new AppError(
      'organization_mismatch',
      'The query names another organization than x-organization-id. Send the same in both, or only the header.',
    )
  }
}

function invalid(path: string, message: string): AppError {
  return new AppError('invalid_request', `${path}: ${message}`, { errors: [{ path, message }] })
}

function parseId(text: unknown): number | undefined {
  if (typeof text !== 'string' || !/^\d{1,10}$/.test(text)) return undefined
  const id = Number(text)
  return id >= 1 && id <= maxId ? id : undefined
}
