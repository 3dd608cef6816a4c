import type { Database, Db } from '../../../platform/db/database.ts'
import type { DemoScene } from '../../../platform/demo.ts'
import type { Log } from '../../../platform/log.ts'
import type { Connections } from '../connections.ts'
import type { ClusterProvider } from '../provider.ts'
import { listClusterRows } from '../store.ts'
import { providerCluster } from '../workflows.ts'
import { type KeepPast, keepPastOf } from './keep-past.ts'
import { demoRefusal, makeDemoClusters, silentStep } from './make-clusters.ts'

type Row = Parameters<typeof providerCluster>[0]

/** Clusters of demos: made with a past, started, put to sleep, and ended without a trace. */
export function createDemoClusters(deps: {
  database: Database
  provider: ClusterProvider
  connections: Connections
  /** Starts the process of a cluster where it should run and does not. */
  look: (organizationId: number, id: number) => Promise<void>
  log: Log
}) {
  const { database, provider, connections, look, log } = deps

  /** Each with where it is. */
  const placed = (organizationId: number, rows: readonly Row[]) =>
    database.readTenant(organizationId, async (db) => {
      const placements = []
      for (const row of rows) placements.push(providerCluster(row, await connections.placement(db, row.id)))
      return placements
    })

  return {
    refusal: () => demoRefusal(provider),
    make: (db: Db, scene: Omit<DemoScene, 'clusters'>) => makeDemoClusters(db, deps, scene),
    /** Starts each, keeps its past, and calls back. The supervision retries what fails. */
    start(
      organizationId: number,
      ids: readonly number[],
      { keep, onTried }: { keep: KeepPast; onTried: () => void },
    ): void {
      const startOne = async (id: number) => {
        await look(organizationId, id)
        const rows = await database.readTenant(organizationId, (db) => listClusterRows(db, organizationId))
        const ofId = rows.filter((row) => row.id === id)
        for (const cluster of await placed(organizationId, ofId))
          await keepPastOf({ database, provider, keep }, cluster)
      }
      for (const id of ids)
        void startOne(id)
          .catch((error: unknown) =>
            log.warn({ err: error, clusterId: id }, 'A cluster of a demo was not started with its past'),
          )
          .then(onTried)
    },
    async sleep(organizationId: number): Promise<void> {
      const rows = await database.readTenant(organizationId, (db) => listClusterRows(db, organizationId))
      for (const cluster of await placed(organizationId, rows))
        await provider.stopControlPlane(cluster, silentStep)
    },
    async end(rows: readonly Row[]): Promise<void> {
      for (const row of rows) {
        const [cluster] = await placed(row.organizationId, [row])
        if (cluster === undefined) continue
        await provider.stopControlPlane(cluster, silentStep)
        await provider.removeState(cluster, silentStep)
      }
    },
  }
}
