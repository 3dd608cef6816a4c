import type { Clock } from './clock.ts'

export type Rate = {
  /** Tokens of a full bucket. */
  burst: number
  perSecond: number
}

type Verdict = {
  isAllowed: boolean
  /** Whole tokens that are left. */
  remaining: number
  /** Until there is a token again; 0 while there is one. */
  retryAfterMs: number
}

/** A bucket of tokens for each key, which begins full. */
export type RateBuckets = {
  /** Takes a token where there is one. */
  take(key: string): Verdict
  /** The same without taking. */
  peek(key: string): Verdict
}

type Bucket = { tokens: number; filledAtMs: number }

/** Counts in this process's memory: with several processes each allows as many. Forgets who was quiet for longest. */
export function rateBuckets(clock: Clock, { burst, perSecond }: Rate, maxKeys = 50_000): RateBuckets {
  const buckets = new Map<string, Bucket>()

  function filled(key: string): Bucket {
    const nowMs = clock.monotonicMs()
    const found = buckets.get(key)
    if (found === undefined) return { tokens: burst, filledAtMs: nowMs }
    const gained = ((nowMs - found.filledAtMs) / 1000) * perSecond
    return { tokens: Math.min(burst, found.tokens + gained), filledAtMs: nowMs }
  }

  const verdictOn = (tokens: number, isAllowed: boolean): Verdict => ({
    isAllowed,
    remaining: Math.floor(tokens),
    retryAfterMs: tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / perSecond) * 1000),
  })

  return {
    take(key) {
      const bucket = filled(key)
      const isAllowed = bucket.tokens >= 1
      if (isAllowed) bucket.tokens -= 1
      // Moved to the end.
      buckets.delete(key)
      buckets.set(key, bucket)
      const [oldest] = buckets.keys()
      if (buckets.size > maxKeys && oldest !== undefined) buckets.delete(oldest)
      return verdictOn(bucket.tokens, isAllowed)
    },
    peek(key) {
      const { tokens } = filled(key)
      return verdictOn(tokens, tokens >= 1)
    },
  }
}
