import type { Clock } from '../../../platform/clock.ts'
import { rateLimit } from '../../../platform/live/rate.ts'

/** What one user may ask of clusters: 600 at once, and as many a minute. */
const proxyRate = { burst: 600, perSecond: 10 }

const usersKept = 10_000

/** Takes one request of a user's; false when they have asked too much. Counts in this process's memory. */
export function userRate(clock: Clock, rate = proxyRate): (userId: number) => boolean {
  const buckets = new Map<number, () => boolean>()
  return (userId) => {
    const take = buckets.get(userId) ?? rateLimit(clock, rate)
    // Moved to the end, so that whoever has been quiet for longest is forgotten, their bucket being full by then.
    buckets.delete(userId)
    buckets.set(userId, take)
    const [oldest] = buckets.keys()
    if (buckets.size > usersKept && oldest !== undefined) buckets.delete(oldest)
    return take()
  }
}
