import type * as openid from 'openid-client'
import type { Clock } from '../../../platform/clock.ts'
import { guardedFetch } from '../../../platform/outbound/guarded-fetch.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { ProviderSettings } from '../../instance/settings.ts'

const timeoutMs = 10_000
const maxBytes = 1024 * 1024
/** Providers change their endpoints rarely, and their keys are fetched separately. */
const keptMs = 600_000

// Loaded at the first sign-in: most servers never need it.
export const library = () => import('openid-client')

export type Discovery = (settings: ProviderSettings) => Promise<openid.Configuration>

/** How to talk to a provider: what an OpenID provider says of itself, and what is known of GitHub. Kept for 10 minutes. */
export function createDiscovery(options: {
  outbound: Outbound
  clock: Clock
  /** Whether a host can only be this machine: a provider there may be without TLS. */
  isLoopback(host: string): boolean
}): Discovery {
  const kept = new Map<string, { untilMs: number; configuration: openid.Configuration }>()

  const fetch: openid.CustomFetch = (url, { method, headers, body }) =>
    guardedFetch(options.outbound, new URL(url), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: body === undefined || body === null ? undefined : textOf(body),
      timeoutMs,
      maxBytes,
    })

  async function discover(settings: ProviderSettings): Promise<openid.Configuration> {
    const client = await library()
    const { clientId, clientSecret } = settings
    const issuer = new URL(settings.issuer)
    // The library marks it as deprecated to make it stand out; it is for loopback alone.
    // oxlint-disable-next-line typescript/no-deprecated
    const allowPlain = client.allowInsecureRequests
    const mayBePlain = issuer.protocol === 'http:' && options.isLoopback(issuer.hostname)
    if (settings.id === 'github') {
      const configuration = new client.Configuration(
        {
          issuer: settings.issuer,
          authorization_endpoint: `${settings.issuer}/login/oauth/authorize`,
          token_endpoint: `${settings.issuer}/login/oauth/access_token`,
        },
        clientId,
        clientSecret,
        client.ClientSecretPost(clientSecret),
      )
      configuration[client.customFetch] = fetch
      // oxlint-disable-next-line typescript/no-deprecated -- as above
      if (mayBePlain) allowPlain(configuration)
      return configuration
    }
    return client.discovery(issuer, clientId, clientSecret, undefined, {
      [client.customFetch]: fetch,
      ...(mayBePlain && { execute: [allowPlain] }),
    })
  }

  return async (settings) => {
    const key = JSON.stringify([settings.id, settings.issuer, settings.clientId, settings.clientSecret])
    const found = kept.get(key)
    const nowMs = options.clock.monotonicMs()
    if (found && found.untilMs > nowMs) return found.configuration
    const configuration = await discover(settings)
    kept.clear()
    kept.set(key, { untilMs: nowMs + keptMs, configuration })
    return configuration
  }
}

function textOf(body: NonNullable<openid.FetchBody>): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('Only texts are sent to a provider')
}
