import type { Clock } from '../../../platform/clock.ts'
import type { ClusterConnection, Connect } from '../connection/ports.ts'

/** How long a connection is taken as known. A cluster that moved is found again at the first failure anyway. */
const connectionKeptMs = 5_000

export type ConnectionCache = {
  connect: Connect
  /** Asks again next time. */
  forget(clusterId: number): void
}

/** Saves a proxied request the queries and the decryption that say where its cluster is. Kept in memory only. */
export function createConnectionCache(connect: Connect, clock: Clock): ConnectionCache {
  const known = new Map<
    number,
    { organizationId: number; untilMs: number; found: Promise<ClusterConnection> }
  >()

  return {
    connect(organizationId, clusterId) {
      const entry = known.get(clusterId)
      const nowMs = clock.monotonicMs()
      if (entry?.organizationId === organizationId && entry.untilMs > nowMs) return entry.found
      const found = connect(organizationId, clusterId)
      known.set(clusterId, { organizationId, untilMs: nowMs + connectionKeptMs, found })
      found.catch(() => {
        if (known.get(clusterId)?.found === found) known.delete(clusterId)
      })
      return found
    },
    forget: (clusterId) => void known.delete(clusterId),
  }
}
