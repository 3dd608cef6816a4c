import type { Clock } from '../clock.ts'

/** A bucket of `burst` tokens that refills at `perSecond`: each call takes one and tells whether there was one. */
export function rateLimit(
  clock: Clock,
  { burst, perSecond }: { burst: number; perSecond: number },
): () => boolean {
  let tokens = burst
  let filledAtMs = clock.monotonicMs()
  return () => {
    const nowMs = clock.monotonicMs()
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * perSecond)
    filledAtMs = nowMs
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
