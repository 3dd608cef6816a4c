import type { Clock } from '../clock.ts'

/** A bucket of `burst` tokens that refills at `perSecond`: each call takes one and tells whether there was one. */
export function rateLimit(
  clock: Clock,
  { burst, perSecond }: { burst: number; perSecond: number },
): () => boolean {
  let tokens = burst
  let filledAtMs = clock.now().getTime()
  return () => {
    const nowMs = clock.now().getTime()
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * perSecond)
    filledAtMs = nowMs
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
