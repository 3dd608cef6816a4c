import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { ticketProtocolPrefix } from '@bey/contract'
import { type Identity, identityHeaders } from '../connection/identity.ts'
import { ownCredentials } from '../connection/own-credentials.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { ProxyCaller } from './caller.ts'

/** RFC 9110 section 7.6.1, and the older ones that proxies drop as well. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What is Bey's affair or the browser's and means nothing, or too much, to a cluster. */
const notForwarded = new Set([
  'authorization',
  'cookie',
  'expect',
  'host',
  'origin',
  'referer',
  'forwarded',
  'via',
  'x-bey-unattended',
  'x-organization-id',
  'x-request-id',
  'x-real-ip',
])

const notForwardedPrefixes = ['impersonate-', 'x-forwarded-', 'x-remote-', 'sec-fetch-', 'sec-ch-']

/** Answers' headers that would act on Bey's own origin, or tell of the cluster's inner addresses. */
const notAnswered = new Set([
  'set-cookie',
  'www-authenticate',
  'strict-transport-security',
  'alt-svc',
  'clear-site-data',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'service-worker-allowed',
  'content-security-policy',
  'x-frame-options',
])

/**
 * Headers for the cluster: the caller's, without credentials and hops, with Bey's own and whom it speaks for; those of a
 * service account with its own token.
 */
export function requestHeaders(
  incoming: IncomingHttpHeaders,
  connection: ClusterConnection,
  { caller, identity }: { caller: Pick<ProxyCaller, 'accountToken'>; identity: Identity },
): OutgoingHttpHeaders {
  const headers = kept(incoming, (name) => {
    if (notForwarded.has(name)) return false
    return !notForwardedPrefixes.some((prefix) => name.startsWith(prefix))
  })
  if (caller.accountToken !== undefined) {
    headers['authorization'] = `Bearer ${caller.accountToken}`
    return headers
  }
  Object.assign(headers, ownCredentials(connection))
  if (connection.impersonate) Object.assign(headers, identityHeaders(identity))
  return headers
}

/**
 * A page of a workload, opened in a tab by a service session. It may run, but as an origin of its own: it reads neither
 * Bey's storage nor its answers, and whatever it opens is confined likewise.
 */
const pagePolicy = "sandbox allow-scripts allow-forms allow-popups; frame-ancestors 'none'"

/**
 * Headers for the caller. What a pod serves through a service proxy must not run as a page of Bey's origin; `isPage` lets
 * it run as a page without an origin.
 */
export function responseHeaders(
  incoming: IncomingHttpHeaders,
  connection: ClusterConnection,
  isPage = false,
): OutgoingHttpHeaders {
  const headers = kept(incoming, (name) => !notAnswered.has(name))
  const location = headers['location']
  if (typeof location === 'string' && location.startsWith(connection.url)) delete headers['location']
  headers['x-content-type-options'] = 'nosniff'
  headers['content-security-policy'] = isPage ? pagePolicy : "default-src 'none'; sandbox"
  headers['cache-control'] ??= 'no-store'
  return headers
}

function kept(incoming: IncomingHttpHeaders, isWanted: (name: string) => boolean): OutgoingHttpHeaders {
  const named = new Set(listed(incoming.connection))
  const headers: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(incoming)) {
    if (value === undefined || hopByHop.has(name) || named.has(name) || !isWanted(name)) continue
    headers[name] = value
  }
  return headers
}

function listed(value: string | undefined): string[] {
  return (value ?? '').split(',').map((name) => name.trim().toLowerCase())
}

const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

/**
 * The bearer token of a request. A browser's WebSocket cannot set headers and sends it as a subprotocol, the way
 * that Kubernetes defines for it.
 */
export function bearerToken(headers: IncomingHttpHeaders): string | undefined {
  const match = /^Bearer ([\w.~+/=-]{1,4096})$/i.exec(headers.authorization ?? '')
  if (match) return match[1]
  const protocol = protocols(headers).find((name) => name.startsWith(tokenProtocol))
  if (!protocol) return undefined
  return Buffer.from(protocol.slice(tokenProtocol.length), 'base64url').toString('utf8')
}

/** The ticket for one stream, which the console sends as a subprotocol. */
export function streamTicket(headers: IncomingHttpHeaders): string | undefined {
  return protocols(headers)
    .find((name) => name.startsWith(ticketProtocolPrefix))
    ?.slice(ticketProtocolPrefix.length)
}

/** The ticket for the pages of one service, which the browser sends as a cookie. */
export function serviceTicket(headers: IncomingHttpHeaders): string | undefined {
  return /(?:^|;\s*)bey-service=([\w-]{20,200})(?:;|$)/.exec(headers.cookie ?? '')?.[1]
}

/** Subprotocols without those that carry the token or a ticket; undefined when none is left. */
export function withoutToken(headers: IncomingHttpHeaders): string | undefined {
  return (
    protocols(headers)
      .filter((name) => !name.startsWith(tokenProtocol) && !name.startsWith(ticketProtocolPrefix))
      .join(', ') || undefined
  )
}

function protocols(headers: IncomingHttpHeaders): string[] {
  return (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}
