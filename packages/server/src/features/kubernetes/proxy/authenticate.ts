import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../../platform/clock.ts'
import { hashToken } from '../../../platform/crypto/token.ts'
import { networkOf } from '../../../platform/http/client-address.ts'
import { clusterIdInUrl } from './admission.ts'
import { type Identify, organizationHeader, type ProxyCaller } from './caller.ts'
import { bearerToken } from './headers.ts'
import { type StatusObject, tooManyRequests, unauthorized } from './status-object.ts'
import { rateHeaders, strangerRates, tokenRates } from './token-rate.ts'

/** Who sends a request, by a token that is within its limits. */
export type Asker = { caller: ProxyCaller | 'outsider'; token: string }

export type Authenticate = (
  request: IncomingMessage,
  /** The client's address. */
  ip: string,
  setHeaders: (headers: Record<string, string>) => void,
) => Promise<Asker | { status: StatusObject }>

const knownTokensKept = 10_000

/** Checks limits, then tokens: what a limit refuses costs no query and no audit entry. */
export function createAuthentication(identify: Identify, clock: Clock): Authenticate {
  const byToken = tokenRates(clock)
  const byAddress = strangerRates(clock)
  /** Hashes of tokens that were good when they were last used. */
  const known = new Set<string>()

  function remember(hash: string): void {
    known.delete(hash)
    known.add(hash)
    const [oldest] = known
    if (known.size > knownTokensKept && oldest !== undefined) known.delete(oldest)
  }

  return async (request, ip, setHeaders) => {
    const token = bearerToken(request.headers)
    if (!token) return { status: unauthorized() }
    const hash = hashToken(token).toString('base64')
    const network = networkOf(ip)
    const stranger = byAddress.look(network)
    // Whoever guesses tokens must not lock out those who work from the same address.
    if (!stranger.isAllowed && !known.has(hash)) {
      return { status: tooManyRequests(stranger.retryAfterMs) }
    }
    const rate = byToken.take(hash)
    setHeaders(rateHeaders(rate))
    if (!rate.isAllowed) return { status: tooManyRequests(rate.retryAfterMs) }
    const caller = await identify(token, {
      organizationId: organizationHeader(request),
      clusterId: clusterIdInUrl(request.url),
    })
    if (caller) {
      remember(hash)
      return { caller, token }
    }
    byAddress.take(network)
    known.delete(hash)
    return { status: unauthorized() }
  }
}
