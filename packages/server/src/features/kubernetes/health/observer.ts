import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { Assessor } from './assessor.ts'
import type { ObservedCluster } from './observer-store.ts'
import { claimClusters, releaseClusters } from './observer-store.ts'
import type { HealthMove } from './watch-health.ts'
import { watchHealth } from './watch-health.ts'

const roundMs = 10_000
/** One process observes at most so many clusters, with ten watches each. */
const maxObserved = 200

export type ObserverDeps = {
  database: Database
  cache: WatchCache
  assessor: Assessor
  /** Unique for this process. */
  observer: string
  /** Publishes that the list of clusters says something else now. */
  publishChange: (db: Db, organizationId: number) => Promise<void>
  /** A cluster was looked at; called at least once a minute for each. */
  onLook: (cluster: ObservedCluster) => void
  /** Notifies the members, in the transaction that records the notification. */
  onMove: (db: Db, move: HealthMove) => Promise<void>
  /** What else the process does for a cluster as long as it observes it. */
  attend: (cluster: ObservedCluster) => { stop(): void }
  clock: Clock
  log: Log
}

/**
 * Observes running clusters whether or not anybody looks at them, each by one process only, and keeps their health in
 * the database, where lists and other processes find it.
 */
export function startHealthObserver(deps: ObserverDeps): {
  /** Claims what has come up since the last round, and lets go of what does not run any more; resolves after that. */
  look(): Promise<void>
  stop(): Promise<void>
} {
  const { database, observer, clock, log } = deps
  const watched = new Map<number, { stop(): void }>()
  let round: Promise<void> = Promise.resolve()
  let isStopped = false

  async function claim(): Promise<void> {
    const held = await database.asSystem('observe the health of running clusters', (db) =>
      claimClusters(db, observer, maxObserved),
    )
    if (!isStopped) watchOnly(held)
  }

  function watchOnly(held: readonly ObservedCluster[]): void {
    const ids = new Set(held.map(({ id }) => id))
    for (const [id, each] of watched) {
      if (ids.has(id)) continue
      each.stop()
      watched.delete(id)
    }
    for (const cluster of held) {
      if (!watched.has(cluster.id)) watched.set(cluster.id, observe(cluster))
    }
  }

  function observe(cluster: ObservedCluster): { stop(): void } {
    const attended = [watchHealth(cluster, deps), deps.attend(cluster)]
    return {
      stop() {
        for (const each of attended) each.stop()
      },
    }
  }

  function look(): Promise<void> {
    round = round
      .then(() => (isStopped ? undefined : claim()))
      .catch((error: unknown) =>
        log.debug({ err: error }, 'Clusters could not be claimed; the next round tries again'),
      )
    return round
  }

  void look()
  const stopRounds = clock.setInterval(() => void look(), roundMs)
  return {
    look,
    async stop() {
      isStopped = true
      stopRounds()
      await round
      for (const each of watched.values()) each.stop()
      watched.clear()
      await database
        .asSystem('let other processes observe clusters', (db) => releaseClusters(db, observer))
        .catch((error: unknown) => log.debug({ err: error }, 'The hold on clusters runs out by itself'))
    },
  }
}
