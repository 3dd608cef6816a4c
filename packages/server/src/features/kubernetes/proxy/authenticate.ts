import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../../platform/clock.ts'
import { hashToken } from '../../../platform/crypto/token.ts'
import { clusterIdInUrl } from './admission.ts'
import { type Identify, organizationHeader, type ProxyCaller } from './caller.ts'
import { bearerToken } from './headers.ts'
import { type StatusObject, tooManyRequests, unauthorized } from './status-object.ts'
import { rateHeaders, tokenRates } from './token-rate.ts'

/** Who sends a request, by a token that is within its limit. */
type Asker = { caller: ProxyCaller | 'outsider'; token: string }

export type Authenticate = (
  request: IncomingMessage,
  setHeaders: (headers: Record<string, string>) => void,
) => Promise<Asker | { status: StatusObject }>

/** Checks the limit, then the token: what the limit refuses costs no query and no audit entry. */
export function createAuthentication(identify: Identify, clock: Clock): Authenticate {
  const rates = tokenRates(clock)
  return async (request, setHeaders) => {
    const token = bearerToken(request.headers)
    if (!token) return { status: unauthorized() }
    const rate = rates.take(hashToken(token).toString('base64'))
    setHeaders(rateHeaders(rate))
    if (!rate.isAllowed) return { status: tooManyRequests(rate.retryAfterMs) }
    const organizationId = organizationHeader(request)
    const caller = await identify(token, { organizationId, clusterId: clusterIdInUrl(request.url) })
    return caller ? { caller, token } : { status: unauthorized() }
  }
}
