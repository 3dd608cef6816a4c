import type { Clock } from '../../../platform/clock.ts'
import type { Asked } from './admission.ts'
import type { Origin } from './proxy-audit.ts'

/** Requests of one kind since the last time, and the first of them. */
type Counted = { request: Asked; origin: Origin; diff: Record<string, unknown> }

export type RequestCounts = {
  count(key: string, request: Asked, origin: Origin): void
  /** Gives what was counted, one row a key, and begins anew. */
  take(): Counted[]
}

/** Resources that are named; a caller can make up as many as they like. */
const maxResources = 100

/** Counts requests in memory, by resource. */
export function createRequestCounts(clock: Clock): RequestCounts {
  type Count = { request: Asked; origin: Origin; since: Date; total: number; byResource: Map<string, number> }
  let counts = new Map<string, Count>()

  return {
    count(key, request, origin) {
      let entry = counts.get(key)
      if (!entry) {
        entry = { request, origin, since: clock.now(), total: 0, byResource: new Map() }
        counts.set(key, entry)
      }
      entry.total += 1
      const name = request.info.resource?.name ?? 'other'
      const bucket = entry.byResource.has(name) || entry.byResource.size < maxResources ? name : 'other'
      entry.byResource.set(bucket, (entry.byResource.get(bucket) ?? 0) + 1)
    },
    take() {
      const until = clock.now().toISOString()
      const taken = [...counts.values()].map(({ request, origin, since, total, byResource }) => ({
        request,
        origin,
        diff: {
          requests: total,
          since: since.toISOString(),
          until,
          byResource: Object.fromEntries(byResource),
        },
      }))
      counts = new Map()
      return taken
    },
  }
}
