import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Connections } from './connections.ts'
import type { ClusterProvider } from './provider.ts'
import type { Clusters } from './service.ts'
import { findCluster, hasPeers, listToSupervise } from './store.ts'
import { providerCluster } from './workflows.ts'

const roundMs = 15_000
const firstRetryMs = 500
const lastRetryMs = 30_000

export type Supervision = {
  /** Looks after one cluster at once, such as one that was made running; resolves when that was tried. */
  look(organizationId: number, id: number): Promise<void>
  /** Stops looking; stops the clusters' processes too, unless another server process lives that can go on with them. */
  stop(): Promise<void>
}

type Options = {
  database: Database
  clusters: Pick<Clusters, 'setReachability' | 'recordRestart'>
  connections: Connections
  provider: ClusterProvider
  machineId: string
  clock: Clock
  log: Log
}

/**
 * Keeps the processes of running clusters alive: at start, when one ends, and every 15 s for clusters whose
 * own machine has no server any more.
 */
export function superviseClusters(options: Options): Supervision {
  const { database, clusters, connections, provider, machineId, clock, log } = options
  const busy = new Map<number, Promise<void>>()
  const failures = new Map<number, number>()
  /** Why clusters were started again, until that is recorded. */
  const restarts = new Map<number, string>()
  /** Clusters that were said not to answer because their process had ended. */
  const ended = new Set<number>()
  let isStopped = false

  async function round(): Promise<void> {
    const rows = await database.asSystem('look after running clusters', (db) =>
      listToSupervise(db, machineId),
    )
    await Promise.all(rows.map((row) => look(row.organizationId, row.id)))
  }

  function look(organizationId: number, id: number): Promise<void> {
    const under = busy.get(id)
    if (under !== undefined || isStopped) return under ?? Promise.resolve()
    const work = revive(organizationId, id).finally(() => busy.delete(id))
    busy.set(id, work)
    return work
  }

  async function revive(organizationId: number, id: number): Promise<void> {
    const found = await database.readTenant(organizationId, async (db) => {
      const row = await findCluster(db, organizationId, id)
      const placement = await connections.placement(db, id)
      return row === undefined || row.status !== 'RUNNING' || placement === null
        ? undefined
        : { row, placement }
    })
    if (found === undefined || !provider.isHere(found.placement)) return
    let live: Awaited<ReturnType<ClusterProvider['keepRunning']>>
    try {
      live = await provider.keepRunning(providerCluster(found.row, found.placement))
    } catch (error) {
      tryLater(organizationId, id, error)
      const reason = error instanceof Error ? error.message : String(error)
      await sayEnded(organizationId, id, reason)
      return
    }
    if (live.startedBecause !== undefined) {
      restarts.set(id, live.startedBecause)
      log.warn({ clusterId: id, pid: live.pid, reason: live.startedBecause }, 'A cluster was started again')
    }
    try {
      await database.withTenant(organizationId, async (db) => {
        const saved = await connections.live(db, organizationId, id)
        const isSame = saved?.pid === live.pid && saved.url === live.url && saved.machineId === live.machineId
        if (!isSame) await connections.save(db, organizationId, id, live)
      })
      const reason = restarts.get(id)
      if (reason !== undefined) await clusters.recordRestart(organizationId, id, reason)
      restarts.delete(id)
      failures.delete(id)
      await takeBack(organizationId, id)
    } catch (error) {
      // The cluster is up; that our database would not note it is nothing that people should read of the cluster.
      tryLater(organizationId, id, error)
    }
  }

  // Whether a cluster answers is for those who ask it. Here it is known only that a process has ended, before they notice.
  async function sayEnded(organizationId: number, id: number, reason: string): Promise<void> {
    ended.add(id)
    await clusters.setReachability(organizationId, id, 'unreachable', reason, clock.now())
  }

  async function takeBack(organizationId: number, id: number): Promise<void> {
    if (!ended.has(id)) return
    await clusters.setReachability(organizationId, id, 'reachable', null, clock.now())
    ended.delete(id)
  }

  function tryLater(organizationId: number, id: number, error: unknown): void {
    const count = failures.get(id) ?? 0
    failures.set(id, count + 1)
    if (count === 0) log.warn({ err: error, clusterId: id }, 'A cluster does not come up')
    const delayMs = Math.min(firstRetryMs * 2 ** count, lastRetryMs)
    clock.setTimeout(() => quietly(look(organizationId, id)), delayMs)
  }

  function quietly(work: Promise<void>): void {
    work.catch((error: unknown) =>
      log.debug({ err: error }, 'Clusters could not be looked after; the next round tries again'),
    )
  }

  provider.onExit((clusterId, reason) => {
    if (isStopped) return
    log.warn({ clusterId, reason }, 'The process of a cluster ended')
    quietly(afterExit(clusterId, reason))
  })

  async function afterExit(clusterId: number, reason: string): Promise<void> {
    const rows = await database.asSystem('look after running clusters', (db) =>
      listToSupervise(db, machineId),
    )
    const row = rows.find((each) => each.id === clusterId)
    if (row === undefined) return
    await sayEnded(row.organizationId, clusterId, reason)
    await look(row.organizationId, clusterId)
  }

  quietly(round())
  const stopRounds = clock.setInterval(() => quietly(round()), roundMs)
  return {
    look,
    async stop() {
      isStopped = true
      stopRounds()
      await Promise.allSettled(busy.values())
      const isAlone = !(await database
        .asSystem('see who else runs', (db) => hasPeers(db, machineId))
        .catch(() => false))
      if (isAlone) await provider.stopAll()
    },
  }
}
