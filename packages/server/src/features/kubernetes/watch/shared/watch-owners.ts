import { createHash } from 'node:crypto'

import type { Clock } from '../../../../platform/clock.ts'
import type { Database } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log.ts'
import type { Peers } from '../../../../platform/peers/peers.ts'
import { findObservers } from '../../health/observer-store.ts'

/** Which process watches a cluster for all of them: ids of peers. */
export type WatchOwners = {
  /** The owner, as far as it is known; asks the database for a cluster that is not in use yet. */
  find(clusterId: number): Promise<string>
  /** The same of a cluster that `find` was asked for. */
  current(clusterId: number): string
  stop(): void
}

type Options = {
  peers: Pick<Peers, 'id' | 'ready' | 'connected' | 'onChange'>
  database: Pick<Database, 'asSystem'>
  clock: Clock
  log: Log
  /** Clusters that this process watches now. */
  inUse: () => number[]
  /** Owners may have changed. */
  onChange: () => void
}

const refreshMs = 1_000

/**
 * The owner of a cluster is the process that observes its health, for it watches the cluster anyway. Where that process is
 * none of those that answer, each process finds the same other one by a hash of their ids.
 */
export function createWatchOwners({ peers, database, clock, log, inUse, onChange }: Options): WatchOwners {
  const observers = new Map<number, string>()

  async function refresh(clusterIds: readonly number[]): Promise<void> {
    if (clusterIds.length === 0) return
    try {
      const found = await database.asSystem('find who observes clusters', (db) =>
        findObservers(db, clusterIds),
      )
      for (const id of clusterIds) {
        const observer = found.get(id)
        if (observer === undefined) observers.delete(id)
        else observers.set(id, observer)
      }
    } catch (error) {
      log.debug({ err: error }, 'The observers of clusters were not found; what was known of them holds')
    }
  }

  function current(clusterId: number): string {
    const answering = [peers.id, ...peers.connected()]
    const observer = observers.get(clusterId)
    if (observer !== undefined && answering.includes(observer)) return observer
    return chosenOf(answering, clusterId)
  }

  let isRefreshing = false
  const stopRefreshing = clock.setInterval(() => {
    if (isRefreshing) return
    isRefreshing = true
    const used = inUse()
    for (const id of observers.keys()) if (!used.includes(id)) observers.delete(id)
    void refresh(used).finally(() => {
      isRefreshing = false
      onChange()
    })
  }, refreshMs)
  const stopListening = peers.onChange(onChange)

  return {
    async find(clusterId) {
      await peers.ready()
      if (!observers.has(clusterId)) await refresh([clusterId])
      return current(clusterId)
    },
    current,
    stop() {
      stopRefreshing()
      stopListening()
    },
  }
}

/** Rendezvous hashing: when one leaves, only its clusters get another. */
function chosenOf(ids: readonly string[], clusterId: number): string {
  const weight = (id: string) => createHash('sha256').update(`${id} ${clusterId}`).digest('hex')
  return ids.reduce((best, id) => (weight(id) > weight(best) ? id : best))
}
