import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { Store } from '../store/store.ts'
import { StatusError } from '../status-error.ts'
import { serviceAccounts } from '../types.ts'
import { readToken } from '../authz/tokens.ts'
import { decodeParts } from './request-info.ts'

export type User = { name: string; uid?: string; groups: string[]; extra?: Record<string, string[]> }

const adminUser: User = {
  name: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
}
const anonymous: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] }

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function unauthorized(): StatusError {
  return new StatusError(401, 'Unauthorized', 'Unauthorized')
}

/** The user behind a token: the administrator's, or one issued for a service account that still exists. */
export function userOfToken(
  token: string,
  adminToken: string,
  signingKey: string,
  store: Store,
  nowMs: number,
): User | undefined {
  if (isSameSecret(token, adminToken)) return adminUser
  const claims = readToken(token, signingKey, nowMs)
  if (!claims) return undefined
  const account = store.get(serviceAccounts, claims.namespace, claims.serviceAccount)
  if (account?.metadata.uid !== claims.uid) return undefined
  const { namespace } = claims
  return {
    name: `system:serviceaccount:${namespace}:${claims.serviceAccount}`,
    uid: claims.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  }
}

export type Authenticated = {
  /** Who sent the request. */
  real: User
  /** For whom it acts; the same unless impersonation was asked for. */
  user: User
}

function tokenOf(request: IncomingMessage): string | undefined {
  const header = request.headers.authorization
  if (header?.toLowerCase().startsWith('bearer ')) return header.slice(7).trim()
  // Browsers cannot set headers on a WebSocket, so Kubernetes takes the token as a subprotocol too.
  const offered = request.headers['sec-websocket-protocol']?.split(',').map((one) => one.trim()) ?? []
  const prefix = 'base64url.bearer.authorization.k8s.io.'
  const found = offered.find((one) => one.startsWith(prefix))
  return found === undefined
    ? undefined
    : Buffer.from(found.slice(prefix.length), 'base64url').toString('utf8')
}

function listOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return []
  return (Array.isArray(value) ? value : value.split(','))
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

/** Reads the impersonation headers. Node joins repeated ones with a comma, so the raw list is read. */
function impersonated(request: IncomingMessage): User | undefined {
  const groups: string[] = []
  const extra: Record<string, string[]> = {}
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const header = request.rawHeaders[i]?.toLowerCase() ?? ''
    const value = request.rawHeaders[i + 1] ?? ''
    if (header === 'impersonate-group') groups.push(value)
    if (header.startsWith('impersonate-extra-')) {
      const [key] = decodeParts([header.slice('impersonate-extra-'.length)]) ?? []
      if (key === undefined) throw new StatusError(400, 'BadRequest', `invalid header ${header}`)
      extra[key] = [...(extra[key] ?? []), value]
    }
  }
  const name = listOf(request.headers['impersonate-user'])[0]
  if (name === undefined) {
    if (groups.length > 0 || Object.keys(extra).length > 0) {
      throw new StatusError(400, 'BadRequest', 'requested impersonation without impersonating a user')
    }
    return undefined
  }
  const account = /^system:serviceaccount:([^:]+):[^:]+$/.exec(name)
  if (account && groups.length === 0)
    groups.push('system:serviceaccounts', `system:serviceaccounts:${account[1]}`)
  if (name !== 'system:anonymous' && !groups.includes('system:authenticated'))
    groups.push('system:authenticated')
  return { name, groups, ...(Object.keys(extra).length > 0 ? { extra } : {}) }
}

/** Whom the client's certificate names: its common name, and its organizations as groups. */
function userOfCertificate({ socket }: IncomingMessage): User | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined
  const subject: { CN?: string | string[]; O?: string | string[] } = socket.getPeerCertificate().subject
  const [name] = [subject.CN ?? []].flat()
  return name === undefined
    ? undefined
    : { name, groups: [...[subject.O ?? []].flat(), 'system:authenticated'] }
}

/** Who a request comes from. Throws 401 for a token that nobody issued. */
export function authenticate(
  request: IncomingMessage,
  resolve: (token: string) => User | undefined,
): Authenticated {
  const token = tokenOf(request)
  const real = token === undefined ? (userOfCertificate(request) ?? anonymous) : resolve(token)
  if (!real) throw unauthorized()
  return { real, user: impersonated(request) ?? real }
}
