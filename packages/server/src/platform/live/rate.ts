import type { Clock } from '../clock.ts'
import { type Rate, rateBuckets } from '../rate-buckets.ts'

/** A bucket of `burst` tokens that refills at `perSecond`: each call takes one and returns whether there was one. */
export function rateLimit(clock: Clock, rate: Rate): () => boolean {
  const buckets = rateBuckets(clock, rate, 1)
  return () => buckets.take('').isAllowed
}
