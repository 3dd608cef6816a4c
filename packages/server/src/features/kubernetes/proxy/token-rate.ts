import type { Clock } from '../../../platform/clock.ts'
import { type RateBuckets, rateBuckets } from '../../../platform/rate-buckets.ts'

/** What one token may ask of clusters: 1,000 requests at once, and 200 a second. */
const proxyRate = { burst: 1000, perSecond: 200 }

/** Requests by token. */
export const tokenRates = (clock: Clock): RateBuckets => rateBuckets(clock, proxyRate)

/** The limit of a token and what is left of it, for the headers of an answer. */
export function rateHeaders({
  remaining,
  retryAfterMs,
}: ReturnType<RateBuckets['take']>): Record<string, string> {
  return {
    'x-ratelimit-limit': String(proxyRate.burst),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(retryAfterMs / 1000)),
  }
}
