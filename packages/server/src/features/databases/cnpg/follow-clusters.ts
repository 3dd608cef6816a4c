import { and, eq, isNull } from 'drizzle-orm'

import { databases } from '../../../tables/databases.ts'
import type { DatabaseRow } from '../store.ts'
import type { WatchParts } from '../watch-parts.ts'

/** Changes that come close together are looked at once. */
const settleMs = 250
/** How long a cluster is followed after the last look at a database there. */
const unusedMs = 5 * 60_000

type Followed = { stop(): void; usedAtMs: number }

/** Follows the clusters that databases run on by their watches, so that a change of a Cluster is looked at at once. */
export function followClusters(
  { database, providers, clock, log }: Pick<WatchParts, 'database' | 'providers' | 'clock' | 'log'>,
  lookNow: () => void,
) {
  const followed = new Map<number, Followed>()

  function changed(organizationId: number, clusterId: number): void {
    const ofCluster = and(
      eq(databases.organizationId, organizationId),
      eq(databases.clusterId, clusterId),
      isNull(databases.deletedAt),
    )
    database
      .withTenant(organizationId, (db) => db.update(databases).set({ checkAt: clock.now() }).where(ofCluster))
      .then(lookNow)
      .catch((error: unknown) =>
        log.debug({ err: error, clusterId }, 'A change of a Cluster is looked at later'),
      )
  }

  const cancel = clock.setInterval(() => {
    for (const [id, each] of followed) {
      if (clock.monotonicMs() - each.usedAtMs < unusedMs) continue
      followed.delete(id)
      each.stop()
    }
  }, unusedMs)

  return {
    /** Follows the cluster of a database from now on. */
    follow({ organizationId, clusterId, clusterTitle }: DatabaseRow): void {
      if (clusterId === null) return
      const known = followed.get(clusterId)
      if (known !== undefined) {
        known.usedAtMs = clock.monotonicMs()
        return
      }
      let waiting: (() => void) | undefined
      const cluster = { id: clusterId, organizationId, title: clusterTitle ?? '' }
      const { stop } = providers.cnpg.clusters.follow(cluster, () => {
        waiting ??= clock.setTimeout(() => {
          waiting = undefined
          changed(organizationId, clusterId)
        }, settleMs)
      })
      followed.set(clusterId, {
        usedAtMs: clock.monotonicMs(),
        stop() {
          waiting?.()
          stop()
        },
      })
    },
    stop(): void {
      cancel()
      for (const each of followed.values()) each.stop()
      followed.clear()
    },
  }
}
