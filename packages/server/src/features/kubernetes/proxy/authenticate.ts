import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../../platform/clock.ts'
import { hashToken } from '../../../platform/crypto/token.ts'
import type { AccessTicket } from '../../../platform/db/gateway.ts'
import type { KeyAccess } from '../../../platform/keys/key-access.ts'
import { type Asker, clusterIdInUrl, targetInUrl } from './admission.ts'
import { type Identify, organizationHeader } from './caller.ts'
import { bearerToken, serviceTicket, streamTicket } from './headers.ts'
import type { Origin } from './proxy-audit.ts'
import { type StatusObject, tooManyRequests, unauthorized } from './status-object.ts'
import { rateHeaders, tokenRates } from './token-rate.ts'

/** Answers what a ticket represents; one for a stream is used up by it. */
export type TakeTicket = (ticketHash: Buffer, kind: 'stream' | 'service') => Promise<AccessTicket | undefined>

export type Authenticate = (
  request: IncomingMessage,
  origin: Origin,
  setHeaders: (headers: Record<string, string>) => void,
) => Promise<Asker | { status: StatusObject }>

type Ticket = { ticket: string; kind: 'stream' | 'service' }

/** Checks the limit, then the token: what the limit refuses costs no query and no audit entry. */
export function createAuthentication(
  identify: Identify,
  takeTicket: TakeTicket,
  takeKeyTurn: KeyAccess['take'],
  clock: Clock,
): Authenticate {
  const rates = tokenRates(clock)

  async function byTicket(
    request: IncomingMessage,
    { ticket, kind }: Ticket,
    ip: string,
  ): Promise<Asker | undefined> {
    const found = await takeTicket(hashToken(ticket), kind)
    const target = targetInUrl(request.url)
    if (!found || found.clusterId !== clusterIdInUrl(request.url)) return undefined
    const isThere = kind === 'stream' ? target === found.path : target.startsWith(found.path)
    if (!isThere) return undefined
    const { tokenHash, organizationId, clusterId } = found
    const caller = await identify(tokenHash, { organizationId, clusterId, ip })
    return caller && { caller, token: tokenHash, isPage: kind === 'service' }
  }

  return async (request, origin, setHeaders) => {
    const token = bearerToken(request.headers)
    const ticket = token === undefined ? ticketOf(request) : undefined
    const key = token ?? ticket?.ticket
    if (!key) return { status: unauthorized() }
    const rate = rates.take(hashToken(key).toString('base64'))
    setHeaders(rateHeaders(rate))
    if (!rate.isAllowed) return { status: tooManyRequests(rate.retryAfterMs) }
    if (ticket) return (await byTicket(request, ticket, origin.ip)) ?? { status: unauthorized() }
    const organizationId = organizationHeader(request)
    const caller = await identify(
      key,
      { organizationId, clusterId: clusterIdInUrl(request.url), ip: origin.ip },
      origin,
    )
    if (caller && caller !== 'outsider' && caller.apiKey?.requestsPerMinute) {
      const own = takeKeyTurn(caller.apiKey)
      if (!own.isAllowed) return { status: tooManyRequests(own.retryAfterMs) }
    }
    return caller ? { caller, token: key, isPage: false } : { status: unauthorized() }
  }
}

/** What a browser brings where it can send no token: a subprotocol of a WebSocket, or the cookie of a service's pages. */
function ticketOf(request: IncomingMessage): Ticket | undefined {
  const { headers, method } = request
  if (headers.upgrade !== undefined) {
    const ticket = streamTicket(headers)
    return ticket === undefined ? undefined : { ticket, kind: 'stream' }
  }
  const ticket = serviceTicket(headers)
  // Another workload's page can make a browser send a cookie, so it opens nothing that changes something.
  if (ticket === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined
  return isEmbeddedByBey(request) ? undefined : { ticket, kind: 'service' }
}

/** Whether a page of Bey's own origin would take the answer as its script, style or frame (Fetch Metadata). */
function isEmbeddedByBey({ headers }: IncomingMessage): boolean {
  const destination = headers['sec-fetch-dest']
  return (
    headers['sec-fetch-site'] === 'same-origin' && destination !== undefined && destination !== 'document'
  )
}
